import { z } from 'zod'
import { profileChangesSchema, weightDaySchema } from '../accounts/profile.ts'
import { utcDay } from '../days.ts'

/** What a customer enters about someone they care for. The same bounds as in the profile. */
export const dependantSchema = (now: Date) => {
  const { firstName, lastName, dateOfBirth, gender, weight, currentMedications, allergies } =
    profileChangesSchema(now).shape
  return z.object({
    patientId: z.string().max(50).optional(),
    firstName,
    lastName,
    dateOfBirth,
    gender,
    weight,
    weightOn: weightDaySchema(utcDay(now)),
    currentMedications,
    allergies,
  })
}
export type DependantInput = z.output<ReturnType<typeof dependantSchema>>

/** What a record must have, by field: who they are, and how old. Empty when it does. */
export const findMissing = (person: {
  firstName: string | null
  dateOfBirth: string | null
}): Record<string, string> => ({
  ...(person.firstName ? {} : { firstName: 'Enter a first name.' }),
  ...(person.dateOfBirth ? {} : { dateOfBirth: 'Enter a date of birth.' }),
})
