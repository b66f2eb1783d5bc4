import { AppError } from './errors.ts'

/**
 * A CONFLICT: the row has changed since the editor read it. Carries the current row to compare
 * with.
 */
export class StaleEditError<Row> extends AppError {
  readonly current: Row

  constructor(message: string, current: Row, options: { cause?: unknown } = {}) {
    super('CONFLICT', message, options)
    this.current = current
  }
}
