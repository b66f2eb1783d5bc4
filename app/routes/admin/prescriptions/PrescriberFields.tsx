import { authenticationLabels } from '#domain/dispensing/case-prescription.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import { useState } from 'react'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { textField, type Fields } from './case-fields.ts'

type PrescriberFieldsProps = { initial: Fields; errors: Fields }

/** Who wrote the prescription, when, and how the pharmacist knows that it is authentic. */
export function PrescriberFields({ initial, errors }: PrescriberFieldsProps) {
  const [npi, setNpi] = useState(initial['npi'] ?? '')
  const [method, setMethod] = useState(initial['authentication.method'] ?? '')
  return (
    <>
      <Field
        label="Prescriber"
        {...textField('prescriberName', initial, errors)}
        maxLength={caseBounds.name}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <Field
          label="NPI"
          {...textField('npi', initial, errors)}
          inputMode="numeric"
          maxLength={14}
          hint={npiHint(npi)}
          onInput={(event) => setNpi(event.currentTarget.value)}
        />
        <Field label="Written on" {...textField('writtenOn', initial, errors)} placeholder="mm/dd/yyyy" />
      </div>
      <SelectField
        label="Authenticated by"
        name="authentication.method"
        value={method}
        error={errors['authentication.method'] ?? errors['authentication']}
        onChange={(event) => setMethod(event.currentTarget.value)}
      >
        <option value="">Not yet</option>
        {Object.entries(authenticationLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {(method !== '' && method !== 'original') || errors['authentication.note'] ? (
        <Field
          label="Who, when, and how you found the contact"
          {...textField('authentication.note', initial, errors)}
          maxLength={caseBounds.note}
        />
      ) : null}
    </>
  )
}

/** What identifies a prescriber who has no NPI. */
export function PrescriberLicense({ initial, errors }: PrescriberFieldsProps) {
  const isOpen = ['license', 'jurisdiction', 'prescriberPhone'].some((name) => initial[name] || errors[name])
  return (
    <Disclosure summary="No NPI: license, phone" open={isOpen} className="border-t border-line">
      <div className="grid gap-3 pb-2">
        <Field label="License number" {...textField('license', initial, errors)} maxLength={50} />
        <Field
          label="State or country of the license"
          {...textField('jurisdiction', initial, errors)}
          maxLength={10}
          hint="Like CA, or CA-ON for Ontario"
        />
        <Field
          label="Prescriber’s phone"
          type="tel"
          {...textField('prescriberPhone', initial, errors)}
          maxLength={50}
        />
      </div>
    </Disclosure>
  )
}

function npiHint(typed: string) {
  const digits = typed.replaceAll(/[\s-]/g, '')
  if (digits.length < 10) return 'Or a license number, below'
  const problem = npiProblem(digits)
  if (problem) return <span className="font-medium text-error">{problem}</span>
  return 'The check digit matches. It catches typing errors only.'
}
