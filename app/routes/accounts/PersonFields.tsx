import { genderLabels, kilogramsFromPounds, maxWeight } from '#domain/accounts/profile-fields.ts'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'

/** A field's name, value and error. */
export type FieldControl = (
  name: string,
  stored: string | number | null | undefined,
) => { id: string; name: string; defaultValue: string | number; error: string | undefined }

type BodyFieldsProps = {
  control: FieldControl
  person: {
    gender: string | null
    dateOfBirth: string | null
    weight: number | null
    weightOn: string | null
  } | null
  /** `YYYY-MM-DD`. */
  today: string
  /** Whether it is the customer: the browser fills fields in, and none is required. */
  isSelf: boolean
}

/** Gender, date of birth, and weight with its unit and date. */
export function BodyFields({ control, person, today, isSelf }: BodyFieldsProps) {
  const weight = person?.weight ?? null
  const isUndated = weight !== null && !person?.weightOn
  return (
    <>
      <SelectField
        label="Gender"
        autoComplete={isSelf ? 'sex' : undefined}
        {...control('gender', person?.gender)}
      >
        <option value="">Not specified</option>
        {Object.entries(genderLabels).map(([gender, label]) => (
          <option key={gender} value={gender}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field
        label="Date of birth"
        type="date"
        autoComplete={isSelf ? 'bday' : undefined}
        required={!isSelf}
        min="1900-01-01"
        max={today}
        {...control('dateOfBirth', person?.dateOfBirth)}
      />
      <Field
        label="Weight"
        type="number"
        inputMode="decimal"
        step="0.1"
        min="0.1"
        max={maxWeight}
        hint={
          weight === null
            ? 'In pounds (lb), or choose kg'
            : // Choosing another unit converts nothing.
              `On file: ${weight} lb (${kilogramsFromPounds(weight)} kg). Enter it in the unit you choose.`
        }
        {...control('weight', weight)}
      />
      <div className="flex flex-wrap items-start gap-4">
        <SelectField label="Unit" {...control('weightUnit', 'lb')}>
          <option value="lb">lb</option>
          <option value="kg">kg</option>
        </SelectField>
        <Field
          label="Date weighed"
          className="min-w-0 flex-[1_1_9rem]"
          type="date"
          min="1900-01-01"
          max={today}
          hint={isUndated ? 'Add the date if you know it' : undefined}
          {...control('weightOn', person?.weightOn)}
        />
      </div>
    </>
  )
}

type HealthTextsProps = {
  control: FieldControl
  person: { currentMedications: string | null; allergies: string | null } | null
}

/** The two texts that the lists are suggested from. */
export const HealthTexts = ({ control, person }: HealthTextsProps) => (
  <>
    <TextAreaField
      label="Current medications"
      className="sm:col-span-2"
      rows={3}
      hint="In your own words. After you save, we suggest the names we recognize for the Medication List."
      {...control('currentMedications', person?.currentMedications)}
    />
    <TextAreaField
      label="Allergies"
      className="sm:col-span-2"
      rows={3}
      hint="In your own words. After you save, we suggest the names we recognize for the Allergy List."
      {...control('allergies', person?.allergies)}
    />
  </>
)
