import type { ShopKeys } from '../crypto/key-ring.ts'
import { blindIndex } from '../crypto/tokens.ts'

/**
 * The token of a customer's link that turns reminders off. Always the same, so that the links of
 * all earlier emails work.
 */
export const reminderToken = (keys: Pick<ShopKeys, 'indexKey'>, userId: string): string =>
  blindIndex(keys, 'reminders', userId)
