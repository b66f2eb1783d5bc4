import {
  auxiliaryWarnings,
  storageTexts,
  warningIds,
  type WarningId,
} from '#domain/dispensing/auxiliary-warnings.ts'
import { counselingAnswers, guideAnswers } from '#domain/dispensing/label-answers.ts'
import type { LabelChoices } from '#domain/dispensing/label-choices.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { staleFields } from '../frame/use-row-edit.ts'

/** A form's fields by name, as it posts them. */
type Typed = Readonly<Record<string, string>>

const labels = {
  ...Object.fromEntries(warningIds.map((id) => [warningName(id), auxiliaryWarnings[id].text])),
  otherWarnings: 'Your own warnings',
  storage: 'Storage',
  lot: 'Lot',
  lotExpiry: 'Lot expires on',
  discardAfter: 'Discard after',
  guide: 'Medication Guide',
  remsDecision: 'REMS decision',
  counseling: 'Counseling',
}

function warningName(id: WarningId): `warn-${WarningId}` {
  return `warn-${id}`
}

/** The stored choices as the form would post them. */
const toTyped = ({ warnings, ...choices }: LabelChoices): Typed => ({
  ...Object.fromEntries(warnings.map((id) => [warningName(id), 'on'])),
  otherWarnings: choices.otherWarnings.join('\n'),
  storage: choices.storage,
  lot: choices.lot ?? '',
  lotExpiry: choices.lotExpiry ?? '',
  discardAfter: choices.discardAfter ?? '',
  guide: choices.guide ?? '',
  remsDecision: choices.remsDecision?.text ?? '',
  counseling: choices.counseling?.answer ?? '',
})

const texts: Typed = { ...storageTexts, ...guideAnswers, ...counselingAnswers }

/** Each field as people read it. */
const toShown = (typed: Typed): Record<string, string> =>
  Object.fromEntries(
    Object.keys(labels).map((name) => {
      const value = (typed[name] ?? '').replaceAll('\r\n', '\n').trim()
      if (name.startsWith('warn-')) return [name, value === 'on' ? 'Yes' : 'No']
      const isChoice = ['storage', 'guide', 'counseling'].includes(name)
      return [name, isChoice ? (texts[value] ?? value) : value]
    }),
  )

type StoredLabelProps = { choices: LabelChoices; typed: Typed }

/** What a colleague has stored since the label's form was opened, where the form differs. */
export function StoredLabel({ choices, typed }: StoredLabelProps) {
  const fields = staleFields(labels, toShown(typed), toShown(toTyped(choices)))
  return (
    <Alert kind="warning" title="Saved label">
      {fields.length === 0 ? (
        <p>It matches your form.</p>
      ) : (
        <>
          <p>Compare it with your form. Saving replaces these differences.</p>
          <dl className="mt-2 grid gap-1">
            {fields.map(({ label, current, yours }) => (
              <div key={label}>
                <dt className="font-medium">{label}</dt>
                <dd className="wrap-anywhere">Stored: {current || '–'}</dd>
                <dd className="wrap-anywhere">Your form: {yours || '–'}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Alert>
  )
}
