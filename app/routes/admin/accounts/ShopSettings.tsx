import { decimalFromCents } from '#domain/money.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { showToast } from '../../../ui/toasts.ts'

type AmountName = 'supportRefundLimitCents' | 'codeAboveRefundCents'

const labels = {
  supportRefundLimitCents: 'Refund limit for support',
  codeAboveRefundCents: 'Refunds that need a code',
} as const satisfies Record<AmountName, string>

const hints = {
  supportRefundLimitCents: 'The most that support refunds of one order, in US dollars.',
  codeAboveRefundCents: 'Refunding more than this of one order needs a recent code, in US dollars.',
} as const satisfies Record<AmountName, string>

const names = Object.keys(labels) as AmountName[]

const toValues = (settings: Settings): Record<AmountName, string> => ({
  supportRefundLimitCents: decimalFromCents(settings.supportRefundLimitCents),
  codeAboveRefundCents: decimalFromCents(settings.codeAboveRefundCents),
})

/** The limits of refunds. */
export function ShopSettings({ settings }: { settings: Settings }) {
  const [values, setValues] = useState(() => toValues(settings))
  const { mutate, isPending, error } = trpc.settings.save.useMutation({
    onSuccess: (saved) => {
      setValues(toValues(saved))
      showToast({ kind: 'success', title: 'Settings saved' })
    },
  })
  const failure = error && toCallFailure(error)
  return (
    <section aria-labelledby="refund-settings" className="mt-8">
      <h2 id="refund-settings" className="mb-3">
        Refunds
      </h2>
      <form
        noValidate
        className="card grid gap-3 p-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) mutate(values)
        }}
      >
        {failure && Object.keys(failure.fields).length === 0 ? (
          <p role="alert" className="font-medium text-error sm:col-span-2">
            {failure.message}
          </p>
        ) : null}
        {names.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            name={name}
            inputMode="decimal"
            autoComplete="off"
            value={values[name]}
            error={failure?.fields[name]}
            hint={hints[name]}
            onChange={(event) => {
              const { value } = event.currentTarget
              setValues((previous) => ({ ...previous, [name]: value }))
            }}
          />
        ))}
        <div className="sm:col-span-2">
          <Button aria-disabled={isPending || undefined}>Save settings</Button>
        </div>
      </form>
    </section>
  )
}
