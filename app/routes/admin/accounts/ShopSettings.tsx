import { decimalFromCents } from '#domain/money.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { countPharmacists, neededPharmacists } from '#domain/settings/second-checks.ts'
import { settingLabels } from '#domain/settings/setting-labels.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { useNavigation } from 'react-router'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { CodeField } from '../../../components/CodeField.tsx'
import { SecondChecksWarning } from './SecondChecksWarning.tsx'
import { failureTitle } from './failure-title.ts'

type FormSettings = Omit<Settings, 'stateScheduled' | 'turnedDownAlerts'>
type TextName = Exclude<keyof FormSettings, 'twoPharmacists'>

const hints = {
  supportRefundLimitCents: 'The most that support can refund per order, in US dollars.',
  codeAboveRefundCents: 'Refunds of one order above this amount, in US dollars, require a recent code.',
  refillOpensAtPercent:
    'Percent of the last fill’s days’ supply that must have passed, from 50 to 100. It counts from the day the fill was dispensed.',
  captureMarginHours:
    'Hours before the card authorization expires, from 1 to 96. At that point, the shop charges for what a pharmacist has cleared and removes the rest of the order.',
  retentionYears:
    'Years from shipping, from 1 to 100. A shorter period deletes the records that are older, within a day. They can’t be restored.',
  careListMaxAgeDays:
    'Days, from 1 to 3650. Admins see a warning when a screening list is older. Lists that have no newer edition are ignored.',
  recallNoticeDays:
    'Days, from 1 to 3650. When a recall is imported, customers are emailed about orders that shipped in this time.',
} as const satisfies Record<TextName, string>

const sections: readonly { id: string; title: string; names: readonly TextName[] }[] = [
  { id: 'refunds', title: 'Refunds', names: ['supportRefundLimitCents', 'codeAboveRefundCents'] },
  { id: 'dispensing', title: 'Dispensing', names: ['refillOpensAtPercent', 'captureMarginHours'] },
  { id: 'records', title: 'Records', names: ['retentionYears'] },
  { id: 'screening', title: 'Screening', names: ['careListMaxAgeDays', 'recallNoticeDays'] },
]

const textOf = (name: TextName, settings: FormSettings): string =>
  name.endsWith('Cents') ? decimalFromCents(settings[name]) : String(settings[name])

/**
 * What the admin knows of the stored settings, as JSON. After a stale edit, these are the current
 * values of the fields that the errors name; all others stay as the form first showed them.
 */
function shownSettings(settings: FormSettings, failure: FormFailure | null): string {
  const shown = failure?.values['before']
  if (failure === null || shown === undefined) return JSON.stringify(settings)
  if (failure.message === null) return shown
  const named = Object.entries(settings).filter(([name]) => name in failure.fields)
  try {
    return JSON.stringify({ ...(JSON.parse(shown) as object), ...Object.fromEntries(named) })
  } catch {
    return JSON.stringify(settings)
  }
}

type ShopSettingsProps = {
  settings: FormSettings
  /** How many active pharmacists have a recorded license. */
  pharmacists: number
  needsCode: boolean
  failure: FormFailure | null
}

/** All settings but the list of drugs. */
export function ShopSettings({ settings, pharmacists, needsCode, failure }: ShopSettingsProps) {
  const isPending = useNavigation().formData?.get('intent') === 'save'
  const fields = failure?.fields ?? {}
  return (
    <PostForm action={adminPaths.shopSettings} className="grid gap-6">
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="before" value={shownSettings(settings, failure)} />
      {failure ? <ErrorSummary title={failureTitle(failure)} fields={fields} /> : null}
      {sections.map(({ id, title, names }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id} className="mb-3">
            {title}
          </h2>
          <div className="card grid gap-4 p-4 sm:grid-cols-2">
            {names.map((name) => (
              <Field
                key={name}
                id={name}
                name={name}
                label={settingLabels[name]}
                hint={hints[name]}
                inputMode={name.endsWith('Cents') ? 'decimal' : 'numeric'}
                autoComplete="off"
                defaultValue={failure?.values[name] ?? textOf(name, settings)}
                error={fields[name]}
              />
            ))}
            {id === 'records' && fields['confirmedRetention'] ? (
              <ConfirmRetention
                years={failure?.values['retentionYears'] ?? ''}
                question={fields['confirmedRetention']}
              />
            ) : null}
            {id === 'dispensing' ? (
              <TwoPharmacists
                isOn={settings.twoPharmacists}
                chosen={failure?.values['twoPharmacists']}
                pharmacists={pharmacists}
                error={fields['twoPharmacists']}
              />
            ) : null}
          </div>
        </section>
      ))}
      <div className="flex flex-wrap items-end gap-3">
        {needsCode ? <CodeField id="code" error={fields['code']} /> : null}
        <Button kind="primary" aria-disabled={isPending || undefined}>
          {isPending ? 'Saving…' : 'Save settings'}
        </Button>
      </div>
    </PostForm>
  )
}

type TwoPharmacistsProps = {
  isOn: boolean
  chosen: string | undefined
  pharmacists: number
  error: string | undefined
}

const TwoPharmacists = ({ isOn, chosen, pharmacists, error }: TwoPharmacistsProps) => (
  <div className="grid gap-3 sm:col-span-2">
    <SelectField
      id="twoPharmacists"
      name="twoPharmacists"
      label={settingLabels.twoPharmacists}
      hint={`Whether a pharmacist other than the first checks each order before it ships. It needs two active pharmacists with a recorded license. ${countPharmacists(pharmacists)}`}
      defaultValue={chosen ?? (isOn ? 'on' : 'off')}
      error={error}
    >
      <option value="off">Not required</option>
      <option value="on">Required</option>
    </SelectField>
    {isOn && pharmacists < neededPharmacists ? <SecondChecksWarning isOnSettings /> : null}
  </div>
)

/** Confirms the years that were posted: with other years, the server asks again. */
const ConfirmRetention = ({ years, question }: { years: string; question: string }) => (
  <div>
    <label className="flex items-center gap-2 font-medium">
      <input
        type="checkbox"
        id="confirmedRetention"
        name="confirmedRetention"
        value={years}
        className="grid-check"
        aria-describedby="confirmedRetention-error"
      />
      Confirm the shorter retention
    </label>
    <p id="confirmedRetention-error" className="mt-1 text-sm font-medium text-error">
      {question}
    </p>
  </div>
)
