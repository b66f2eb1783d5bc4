import { z } from 'zod'
import { profileChangesSchema, weightDaySchema } from '../accounts/profile.ts'

/** What a customer enters about someone they care for. The same bounds as in the profile. */
export const dependantSchema = (now: Date) => {
  const { firstName, lastName, dateOfBirth, gender, weight, currentMedications, allergies } =
    profileChangesSchema(now).shape
  return z.object({
    patientId: z.string().max(50).optional(),
    firstName: firstName.refine((name) => typeof name === 'string', 'Enter a first name.'),
    lastName,
    dateOfBirth: dateOfBirth.refine((date) => typeof date === 'string', 'Enter a date of birth.'),
    gender,
    weight,
    weightOn: weightDaySchema(now.toISOString().slice(0, 10)),
    currentMedications,
    allergies,
  })
}
export type DependantInput = z.output<ReturnType<typeof dependantSchema>>
