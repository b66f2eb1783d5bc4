/**
 * An amount of money. In a cell that is too narrow, the cents are below the dollars, not cut off.
 */
export function Amount({ text }: { text: string }) {
  const [dollars, cents] = text.split('.')
  return cents === undefined ? (
    text
  ) : (
    <>
      {dollars}
      <wbr />.{cents}
    </>
  )
}
