import { z } from 'zod'
import { orderAccessSchema, type CatalogPermission } from './key-permissions.ts'

/** The periods of the form, in days. None is longer than a year. */
export const keyDays = ['30', '90', '180', '365'] as const

const maxNameLength = 80
const checkbox = z.string().max(10).optional()

/** The form's checkboxes and the permission that each gives. Orders have a field of their own. */
export const permissionFields = {
  catalogWrite: 'catalog.write',
  stockRead: 'stock.read',
  stockWrite: 'stock.write',
} as const satisfies Record<string, CatalogPermission>

export const newKeySchema = z.object({
  /** Made with the form, so that sending it twice creates one key. */
  id: z.uuid(),
  name: z
    .string({ error: 'Enter a name.' })
    .trim()
    .min(1, 'Enter a name.')
    .max(maxNameLength, `Use at most ${maxNameLength} characters.`),
  catalogWrite: checkbox,
  stockRead: checkbox,
  stockWrite: checkbox,
  orders: z
    .union([z.literal('').transform(() => null), orderAccessSchema], { error: 'Choose from the list.' })
    .default(null),
  days: z.enum(keyDays, { error: 'Choose when it expires.' }).transform(Number),
  code: z.string().max(64).default(''),
})
export type NewKeyInput = Omit<z.output<typeof newKeySchema>, 'code'>

/** A form about one key. */
export const keyRowSchema = z.object({ id: z.uuid() })

/** The permissions whose checkboxes are checked. */
export const selectedPermissions = (
  input: Partial<Record<keyof typeof permissionFields, string | undefined>>,
): CatalogPermission[] => [
  ...(input.catalogWrite ? [permissionFields.catalogWrite] : []),
  ...(input.stockRead ? [permissionFields.stockRead] : []),
  ...(input.stockWrite ? [permissionFields.stockWrite] : []),
]

/** Whether a key works at this time, as the page shows it. */
export type KeyStatus = 'active' | 'expired' | 'revoked'

export const keyStatus = (
  { expiresAt, revokedAt }: { expiresAt: Date; revokedAt: Date | null },
  now: Date,
): KeyStatus => {
  if (revokedAt) return 'revoked'
  return expiresAt <= now ? 'expired' : 'active'
}
