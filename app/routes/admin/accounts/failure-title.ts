import type { FormFailure } from '../../../http/form-failure.ts'

/** The title of a form's errors: its fields name their own. */
export const failureTitle = ({ fields, message }: Pick<FormFailure, 'fields' | 'message'>): string =>
  Object.keys(fields).length > 0 ? 'Nothing has changed yet' : (message ?? 'Nothing has changed')
