import { caseBounds } from '#domain/dispensing/review-case.ts'
import { fold } from '#domain/text.ts'
import { useState } from 'react'
import { Field } from '../../../ui/Field.tsx'
import { textField, type Fields } from './case-fields.ts'

type PatientNameFieldsProps = { initial: Fields; errors: Fields; profileName: string }

/** The name on the file, and why it is the same person when the profile has another name. */
export function PatientNameFields({ initial, errors, profileName }: PatientNameFieldsProps) {
  const [typed, setTyped] = useState(initial['patientName'] ?? '')
  const isOtherName = typed.trim() !== '' && !isStartOfName(typed, profileName)
  return (
    <>
      <Field
        label="Patient name on the file"
        {...textField('patientName', initial, errors)}
        maxLength={caseBounds.name}
        hint={
          isOtherName ? (
            <span className="font-medium text-error">Differs from the profile: {profileName}</span>
          ) : isSameName(typed, profileName) ? (
            'The same as in the profile'
          ) : null
        }
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {isOtherName || errors['patientNameNote'] ? (
        <Field
          label="Why it is the same person"
          {...textField('patientNameNote', initial, errors)}
          maxLength={caseBounds.note}
          hint="For example a maiden name on the ID document. Otherwise refuse the lines."
        />
      ) : null}
    </>
  )
}

/** Whether what was typed so far can become the other name. */
const isStartOfName = (typed: string, name: string): boolean => {
  const words = fold(name).split(' ')
  return fold(typed)
    .split(' ')
    .every((start) => words.some((word) => word.startsWith(start)))
}

/** Whether two names have the same words, in any order: files write the last name first. */
const isSameName = (one: string, other: string): boolean => sortWords(one) === sortWords(other)
const sortWords = (name: string): string => fold(name).split(' ').toSorted().join(' ')
