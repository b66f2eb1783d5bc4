/** What an admin can do about who gets into an account. */
export const accessChanges = ['suspend', 'restore', 'end-sessions'] as const
export type AccessChange = (typeof accessChanges)[number]

/** The longest reason for a change, in characters. */
export const maxAccessReason = 500
