import type { ComponentProps, ReactNode } from 'react'
import { readFields, type Fields } from './case-fields.ts'
import type { CaseIntent } from './case-forms.ts'
import type { CaseForms } from './use-case-forms.ts'

type CaseFormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'hidden'> & {
  forms: CaseForms
  intent: CaseIntent
  /** Hidden fields: what the form is about, and at which version. */
  sends: Record<string, string | number>
  onSent?: () => void
  children: ReactNode
}

/**
 * A form of a case. Scripts send it and keep the page; without them it is posted to the page's
 * action. What is typed must never end up in a URL.
 */
export const CaseForm = ({ forms, intent, sends, onSent, children, ...form }: CaseFormProps) => (
  <form
    noValidate
    method="post"
    {...form}
    onSubmit={(event) => {
      event.preventDefault()
      const fields: Fields = readFields(event.currentTarget)
      void forms.send(intent, fields).then((isDone) => isDone && onSent?.())
    }}
  >
    <input type="hidden" name="intent" value={intent} />
    {Object.entries(sends).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
)
