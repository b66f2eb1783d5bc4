import { caseBounds, type CaseLine, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { CircleCheck } from '../../../ui/icons.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { readFields, toIsoDay, type Fields } from './transcription-fields.ts'

type ClearFormProps = {
  line: CaseLine
  reviewCase: ReviewCase
  itemId: string
  onChooseItem: (itemId: string) => void
  errors: Fields
  isBusy: boolean
  onClear: (input: ReturnType<typeof toClearInput>) => void
}

/**
 * Clears a line from an item. It asks only for the decisions that this clearance needs; the server
 * checks all rules again.
 */
export function ClearForm(props: ClearFormProps) {
  const { line, reviewCase, itemId, onChooseItem, errors, isBusy, onClear } = props
  const hydrated = useHydrated()
  const [started, setStarted] = useState(false)
  const candidate = line.candidates.find((each) => each.itemId === itemId) ?? null
  const isReady = candidate?.isPossible === true && line.blockers.length === 0
  const needsEarly = candidate?.needs === 'early' || candidate?.needs === 'both'
  const needsSubstitute = candidate?.needs === 'substitute' || candidate?.needs === 'both'
  const isOutside = reviewCase.destination?.isServed === false
  const needsWeight = reviewCase.patient.isMinor
  const needsDecision = needsEarly || needsSubstitute || isOutside || needsWeight
  const field = (name: string) => ({ name, error: errors[name], autoComplete: 'off' })
  const showsFields = isReady && needsDecision && (started || Object.keys(errors).length > 0)
  return (
    <form
      noValidate
      method="post"
      aria-label={`Clear ${line.product.name}`}
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && needsDecision && !showsFields) setStarted(true)
        else if (candidate) onClear(toClearInput(line, candidate, readFields(event.currentTarget)))
      }}
    >
      {line.candidates.length > 1 ? (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Fill from</legend>
          {line.candidates.map((each) => (
            <label key={each.itemId} className="flex items-center gap-2">
              <input
                type="radio"
                name="itemId"
                className="grid-check"
                value={each.itemId}
                checked={each.itemId === itemId}
                onChange={() => onChooseItem(each.itemId)}
              />
              <span>
                {each.rxNumber}: {each.message ?? 'covers this line'}
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      {errors['itemId'] ? <p className="font-medium text-error">{errors['itemId']}</p> : null}
      {showsFields ? (
        <div className="form-grid">
          {needsEarly ? (
            <Field
              label="Why an early or concurrent fill is right"
              {...field('earlyNote')}
              maxLength={caseBounds.note}
            />
          ) : null}
          {needsSubstitute ? (
            <>
              <Field
                label="FDA code of the prescribed medicine"
                {...field('substitute.prescribedCode')}
                maxLength={4}
              />
              <Field
                label="FDA code of the ordered medicine"
                {...field('substitute.offeredCode')}
                maxLength={4}
              />
              <Field
                label="Note on the substitution"
                {...field('substitute.note')}
                maxLength={caseBounds.note}
              />
              <Field
                label="Prescriber who agreed"
                {...field('substitute.agreement.with')}
                maxLength={caseBounds.name}
                hint="Not needed when both codes are the same A-code"
              />
            </>
          ) : null}
          {isOutside ? (
            <Field
              label="Why it may go to this destination"
              {...field('destinationNote')}
              maxLength={caseBounds.note}
            />
          ) : null}
          {needsWeight ? (
            <>
              <Field label="Weight in kg" {...field('weight.kilograms')} inputMode="decimal" />
              <Field label="Weighed on" {...field('weight.on')} placeholder="mm/dd/yyyy" />
            </>
          ) : null}
        </div>
      ) : null}
      <Button
        kind="primary"
        className="justify-self-start"
        data-clear={isReady ? '' : undefined}
        disabled={isBusy || !isReady || !hydrated}
      >
        <CircleCheck /> {needsDecision && !showsFields ? 'Clear with a note…' : 'Clear'}
      </Button>
    </form>
  )
}

function toClearInput(
  { id, version }: CaseLine,
  { itemId, itemVersion }: CaseLine['candidates'][number],
  fields: Fields,
) {
  const has = (name: string): boolean => Object.hasOwn(fields, name)
  return {
    lineId: id,
    version,
    itemId,
    itemVersion,
    earlyNote: fields['earlyNote'] ?? null,
    destinationNote: fields['destinationNote'] ?? null,
    substitute: has('substitute.note')
      ? {
          prescribedCode: fields['substitute.prescribedCode'],
          offeredCode: fields['substitute.offeredCode'],
          note: fields['substitute.note'],
          agreement: { with: fields['substitute.agreement.with'] },
        }
      : null,
    weight: has('weight.kilograms')
      ? { kilograms: fields['weight.kilograms'], on: toIsoDay(fields['weight.on'] ?? '') }
      : null,
  }
}
