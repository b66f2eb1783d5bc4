/** As much of d3 as the charts of the dashboard draw with. */
declare module 'd3-scale' {
  type LinearScale = {
    (value: number): number
    domain: (domain: readonly [number, number]) => LinearScale
    range: (range: readonly [number, number]) => LinearScale
    nice: (count?: number) => LinearScale
    ticks: (count?: number) => number[]
  }
  export function scaleLinear(): LinearScale
}

declare module 'd3-shape' {
  type Shape<Datum> = {
    (data: readonly Datum[]): string | null
    x: (x: (datum: Datum, index: number) => number) => Shape<Datum>
    y: (y: (datum: Datum) => number) => Shape<Datum>
  }
  type Area<Datum> = {
    (data: readonly Datum[]): string | null
    x: (x: (datum: Datum, index: number) => number) => Area<Datum>
    y0: (y: number) => Area<Datum>
    y1: (y: (datum: Datum) => number) => Area<Datum>
  }
  export function line<Datum>(): Shape<Datum>
  export function area<Datum>(): Area<Datum>
}
