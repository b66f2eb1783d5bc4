import type { ComponentProps } from 'react'
import { Field } from '../ui/Field.tsx'

/** The field for a code of the second factor, or a recovery code. */
export const CodeField = (props: Omit<ComponentProps<typeof Field>, 'name' | 'label'>) => (
  <Field
    name="code"
    label="Code"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    hint="Six digits from your authenticator app, or a recovery code."
    {...props}
  />
)
