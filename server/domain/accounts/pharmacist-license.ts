import { z } from 'zod'
import { cleanLine } from '../clean-text.ts'
import { jurisdictions } from './jurisdictions.ts'

/** A license to practice pharmacy. The jurisdiction is a key of `jurisdictions`. */
export type PharmacistLicense = { number: string; jurisdiction: string }

/** The form that records a license on a user's page. */
export const licenseSchema = z.object({
  number: z
    .string({ error: 'Enter the license number.' })
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(2, 'Enter the license number.')
        .max(40, 'Use at most 40 characters.')
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} ./-]*$/u, 'Use letters, digits, spaces, hyphens, dots and slashes.'),
    ),
  jurisdiction: z
    .string({ error: 'Choose the state or province.' })
    .refine((code) => Object.hasOwn(jurisdictions, code), 'Choose the state or province.'),
  /** The license that the form showed, which tells a stale edit. Empty when there was none. */
  numberBefore: z.string().max(40).default(''),
  jurisdictionBefore: z.string().max(2).default(''),
  code: z.string().max(100, 'This code is too long.').default(''),
})

export const removeLicenseSchema = z.object({
  /** That prescription orders won’t ship, where the removal stops them. */
  isConfirmed: z
    .string()
    .max(10)
    .default('')
    .transform((value) => value === 'on'),
  code: z.string().max(100, 'This code is too long.').default(''),
})
