import { httpStatus } from '#domain/errors.ts'
import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** Loads a page's data after a conflict too: the page then shows what another person did. */
export const revalidateAfterConflict = ({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean =>
  defaultShouldRevalidate || actionStatus === httpStatus('CONFLICT')
