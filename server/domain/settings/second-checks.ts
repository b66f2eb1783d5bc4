/** How many active pharmacists with a recorded license the second check needs. */
export const neededPharmacists = 2

/** A shop in which a second pharmacist checks each order: how many could. */
export type SecondChecks = { pharmacists: number }

/** "There are 2 now." */
export const countPharmacists = (pharmacists: number): string =>
  pharmacists === 1 ? 'There is 1 now.' : `There are ${pharmacists} now.`

/** What happens when such a shop loses a pharmacist, for the admin who may remove a license. */
export const secondChecksNote = ({ pharmacists }: SecondChecks): string =>
  `Prescription orders can’t ship with fewer than two active pharmacists who have a recorded license: the shop requires a second check. ${countPharmacists(pharmacists)}`

/** Asks before a change after which such a shop has too few pharmacists. */
export const lostChecksQuestion =
  'After this change, fewer than two active pharmacists will have a recorded license. Prescription orders won’t ship, because the shop requires a second check.'

/** The same, below the field that confirms it. */
export const lostChecksMessage = 'Confirm that prescription orders won’t ship.'

/** Why a suspension did not happen that needed no confirmation a moment before. */
export const notSuspendedMessage =
  'Not suspended: the number of pharmacists has changed, and this suspension would leave fewer than two for second checks. Try again to confirm it.'
