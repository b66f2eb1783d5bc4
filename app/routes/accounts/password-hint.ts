/** The hint at each field for a new password. */
export const passwordHint =
  'At least 12 characters and hard to guess. A few random words are strong and easy to remember.'
