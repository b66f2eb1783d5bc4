import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { caseBounds, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { CircleCheck } from '../../../ui/icons.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { chargeNote } from './charge-note.ts'
import { CaseForm } from './CaseForm.tsx'
import { listText } from './LineEquivalents.tsx'
import type { CaseForms } from './use-case-forms.ts'

type ClearFormProps = {
  line: CaseLine
  reviewCase: ReviewCase
  itemId: string
  onChooseItem: (itemId: string) => void
  forms: CaseForms
}

/**
 * Clears a line from an item. It asks only for the decisions that this clearance needs; the server
 * checks all rules again.
 */
export function ClearForm({ line, reviewCase, itemId, onChooseItem, forms }: ClearFormProps) {
  const hydrated = useHydrated()
  const failure = forms.failureOf('clear', line.id)
  const errors = failure?.fields ?? {}
  const candidate = line.candidates.find((each) => each.itemId === itemId) ?? null
  const isReady = candidate !== null && canClear(candidate)
  // Without scripts the button stays as it was rendered, whatever item is chosen.
  const isOpen = hydrated ? isReady : line.candidates.some(canClear)
  // Another patient's item must be chosen explicitly, even when it is the only one.
  const isChoice =
    line.candidates.length > 1 || line.candidates.some(({ patientId }) => patientId !== line.patientId)
  const needsEarly = candidate?.needs === 'early' || candidate?.needs === 'both'
  const needsSubstitute = candidate?.needs === 'substitute' || candidate?.needs === 'both'
  const isOutside = reviewCase.destination?.isServed === false
  const patient = reviewCase.patients.find(({ patientId }) => patientId === (candidate ?? line).patientId)
  const needsWeight = patient?.isMinor === true
  const charge = chargeNote(reviewCase, line, 'clear')
  const needsDecision = needsEarly || needsSubstitute || isOutside || needsWeight
  const field = (name: string, known = '') => ({
    name,
    error: errors[name],
    autoComplete: 'off',
    defaultValue: failure?.values[name] ?? known,
  })
  return (
    <CaseForm
      forms={forms}
      intent="clear"
      sends={{ lineId: line.id, version: line.version }}
      aria-label={`Clear ${line.product.name}`}
      className="grid gap-3"
      data-clear={isReady ? '' : undefined}
    >
      {isChoice ? (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Fill from</legend>
          {candidate ? null : (
            <p className="text-muted">
              None of this patient’s prescription items can fill this line.{' '}
              {line.candidates.some(({ isPossible }) => isPossible)
                ? 'Choose one below, or refuse the line.'
                : 'Refuse the line.'}
            </p>
          )}
          {line.candidates.map((each) => (
            <label key={each.itemId} className="flex items-center gap-2">
              <input
                type="radio"
                name="item"
                className="size-5 flex-none accent-primary"
                value={itemValue(each)}
                checked={each.itemId === itemId}
                onChange={() => onChooseItem(each.itemId)}
              />
              <span>
                {each.rxNumber}
                {each.dependantName ? ` for ${each.dependantName}` : ''}: {each.message ?? 'covers this line'}
              </span>
            </label>
          ))}
        </fieldset>
      ) : candidate ? (
        <input type="hidden" name="item" value={itemValue(candidate)} />
      ) : null}
      {errors['itemId'] ? <p className="font-medium text-error">{errors['itemId']}</p> : null}
      {isReady && needsDecision ? (
        <div className="form-grid">
          {needsEarly ? (
            <Field
              label="Why an early or concurrent fill is appropriate"
              {...field('earlyNote')}
              maxLength={caseBounds.note}
            />
          ) : null}
          {needsSubstitute ? (
            <>
              <ListedRating listed={candidate.listed} />
              {candidate.listed?.prescribed ? null : (
                <Field
                  label="FDA code of the prescribed medicine"
                  {...field('substitute.prescribedCode')}
                  maxLength={4}
                  hint="FDA’s list has no code for it"
                />
              )}
              {candidate.listed?.offered ? null : (
                <Field
                  label="FDA code of the ordered medicine"
                  {...field('substitute.offeredCode')}
                  maxLength={4}
                  hint="FDA’s list has no code for it"
                />
              )}
              <Field
                label="Note on the substitution"
                {...field('substitute.note')}
                maxLength={caseBounds.note}
              />
              <Field
                label="Prescriber who agreed"
                {...field('substitute.agreement.with')}
                maxLength={caseBounds.name}
                hint={agreementHint(candidate.listed)}
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
              <Field
                label="Weight in kg"
                {...field('weight.kilograms', String(patient.weightKilograms ?? ''))}
                inputMode="decimal"
              />
              <Field
                label="Weighed on"
                {...field('weight.on', typedDay(patient.weightOn))}
                placeholder="mm/dd/yyyy"
              />
            </>
          ) : null}
        </div>
      ) : null}
      {isReady && charge ? <p className="text-muted">{charge}</p> : null}
      <Button kind="primary" className="justify-self-start" disabled={forms.isBusy || !isOpen}>
        <CircleCheck /> Clear
      </Button>
    </CaseForm>
  )
}

const canClear = ({ isPossible, blockers }: CaseLine['candidates'][number]): boolean =>
  isPossible && blockers.length === 0

type Listed = CaseLine['candidates'][number]['listed']

/** When the prescriber must agree to a substitution. */
const agreementHint = (listed: Listed): string =>
  listed === null || listed.isEquivalent === null
    ? 'Not needed when both codes are the same A-code'
    : listed.isEquivalent
      ? 'Needed only for another form or “dispense as written”'
      : 'Needed: FDA doesn’t rate them as equivalent'

/** The codes that FDA's list has, which the pharmacist need not enter. */
function ListedRating({ listed }: { listed: Listed }) {
  if (!listed || (listed.prescribed === null && listed.offered === null)) return null
  const { prescribed, offered, isEquivalent, listDate } = listed
  return (
    <p className={`col-span-full ${isEquivalent === false ? 'font-medium text-warning' : ''}`}>
      {listText(listDate)}: prescribed {prescribed ?? 'no code'}, ordered {offered ?? 'no code'}.{' '}
      {isEquivalent === null
        ? null
        : isEquivalent
          ? 'FDA rates them as equivalent.'
          : 'FDA doesn’t rate them as equivalent.'}
    </p>
  )
}

/** "2026-03-12" as the field takes it. */
const typedDay = (day: string | null): string => day?.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1') ?? ''

/** The item and its version, as the pharmacist sees them. */
const itemValue = ({ itemId, itemVersion }: CaseLine['candidates'][number]): string =>
  `${itemId} ${itemVersion}`
