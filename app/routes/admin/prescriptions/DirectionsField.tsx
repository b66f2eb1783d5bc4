import { findUnitProblem } from '#domain/dispensing/directions-unit.ts'
import { expandDirections } from '#domain/dispensing/expand-directions.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import { findSupplyMismatch } from '#domain/dispensing/supply-mismatch.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import { useId, useState } from 'react'
import { TextAreaField } from '../../../ui/Field.tsx'

type DirectionsFieldProps = {
  name: string
  typed: string
  /** The chosen one. Its form decides how the directions begin. */
  medicine: Medicine | null
  /** As typed. */
  units: string
  daysSupply: string
  error: string | undefined
}

/**
 * The directions as the prescriber wrote them, and live what the label will print and whether the
 * quantity fits.
 */
export function DirectionsField({ name, typed: initial, error, ...context }: DirectionsFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState(initial)
  return (
    <div>
      <TextAreaField
        label="Directions (sig)"
        name={name}
        rows={2}
        maxLength={caseBounds.directions}
        defaultValue={initial}
        error={error}
        aria-controls={id}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <output id={id} className="mt-1 block" aria-live="polite">
        {typed.trim() === '' ? null : <Expanded typed={typed} {...context} />}
      </output>
    </div>
  )
}

type ExpandedProps = Pick<DirectionsFieldProps, 'typed' | 'medicine' | 'units' | 'daysSupply'>

function Expanded({ typed, medicine, units, daysSupply }: ExpandedProps) {
  const form = medicine?.form ?? null
  const { text, unknown, errorProne } = expandDirections(typed, form)
  const unitProblem = findUnitProblem(typed, form)
  const mismatch =
    medicine &&
    findSupplyMismatch({
      directions: typed,
      units: Number(units),
      unit: medicine.unit,
      daysSupply: Number(daysSupply),
    })
  return (
    <>
      <p className="wrap-anywhere">
        <span className="text-muted">The label will print:</span> <b>{text}</b>
      </p>
      {unitProblem ? <p className="font-medium text-error">{unitProblem}</p> : null}
      {mismatch ? <p className="text-warning">{mismatch}</p> : null}
      {unknown.length > 0 ? (
        <p className="text-warning">Not in our list of codes, so check each: {unknown.join(', ')}</p>
      ) : null}
      {errorProne.map(({ code, writeInstead }) => (
        <p key={code} className="font-medium text-error">
          “{code}” is easily misread and is never printed. Write “{writeInstead}”.
        </p>
      ))}
    </>
  )
}
