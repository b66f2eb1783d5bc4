import { alertDecisionInputSchema } from '#domain/alerts/alert-decision-schema.ts'
import {
  askInputSchema,
  callInputSchema,
  caseSearchSchema,
  clearInputSchema,
  closeItemInputSchema,
  didNotLeaveInputSchema,
  lineInputSchema,
  refuseInputSchema,
  transcriptionInputSchema,
} from '#domain/dispensing/case-inputs.ts'
import type { MedicineOption } from '#domain/dispensing/case-prescription.ts'
import { caseBounds, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { draftPart, hasFields, notePart } from '#domain/dispensing/draft-fields.ts'
import { AppError } from '#domain/errors.ts'
import { parseInput, toFieldErrors } from '#domain/parse-input.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { decisionSchema } from '#domain/prescriptions/prescription-details.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { Context } from '#server/context.ts'
import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { findDraft, saveDraft } from '#server/reviews/case-drafts.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { decideReview } from '#server/reviews/decide-review.ts'
import { findCases } from '#server/reviews/find-cases.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { didNotLeave, reopenLine } from '#server/reviews/reopen-line.ts'
import { saveTranscription } from '#server/reviews/save-transcription.ts'
import { secondCheck } from '#server/reviews/second-check.ts'
import { suggestMedicines } from '#server/reviews/suggest-medicines.ts'
import { data, redirect } from 'react-router'
import { getTexts, readForm, withFormFailure } from '../../../http/form-action.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import type { Fields } from './case-fields.ts'
import {
  caseInputs,
  doneTitle,
  isCaseIntent,
  subjectOf,
  valuesAfterRefusal,
  type CaseIntent,
} from './case-forms.ts'
import { itemKeysOf, nextItemKey, toFormErrors } from './transcription-fields.ts'
import type { CaseFormFailure } from './use-case-forms.ts'

/** A transcription has 14 fields a medicine, and one for each duplicate that refused it. */
const maxFields = 40 + 14 * caseBounds.items + caseBounds.duplicates

/**
 * Runs a form of a case that was posted without scripts, by the use case that scripts call. Then
 * returns to the case with a message; when it is refused, the page shows what was typed and why.
 */
export async function runCaseForm(
  ctx: Context,
  args: Parameters<typeof redirectWithToast>[0] & { request: Request },
) {
  const form = await readForm(args.request, { maxFields })
  const fields = getTexts(form)
  const { intent } = fields
  if (intent === 'find') return postedSearch(ctx, fields)
  if (!isCaseIntent(intent)) throw new AppError('BAD_REQUEST')
  const { pathname, searchParams } = new URL(args.request.url)
  if (fields['edit'] === 'cancel') {
    // The URL can have the id of a prescription, and the draft has that of its order.
    await discardDraft(ctx, fields['caseId'] ?? '', fields['prescriptionId'] ?? '')
    searchParams.delete('edit')
    return redirect(`${pathname}?${searchParams}`, 303)
  }
  if (fields['edit']) return data({ failure: await editTranscription(ctx, fields) })
  let conflicting: ReviewCase | null = null
  const result = await withFormFailure(form, async () => {
    const current = await cases[intent](ctx, fields, searchParams.get('id') ?? '').catch((error: unknown) => {
      if (error instanceof StaleEditError) conflicting = error.current as ReviewCase
      throw error
    })
    await discardDraft(ctx, current.id, notePart(intent, subjectOf(fields)))
    searchParams.delete('edit')
    const title = doneTitle(intent, fields, current)
    return redirectWithToast(args, `${pathname}?${searchParams}`, { kind: 'success', title })
  })
  if (result instanceof Response) return result
  const failure: CaseFormFailure = { ...result.data, values: valuesAfterRefusal(fields, conflicting) }
  const errors = toFormErrors(failure.fields, fields)
  const isWrong = (key: string): boolean => errors[`items.${key}.variantId`] !== undefined
  const options = intent === 'transcribe' ? await findOptions(ctx, fields, isWrong) : {}
  return data({ failure: { ...failure, options } }, result.init ?? {})
}

/** A search that was posted without scripts. The only case with a typed number opens. */
async function postedSearch(ctx: Context, { search: typed = '' }: Fields) {
  const parsed = caseSearchSchema.safeParse({ search: typed })
  if (!parsed.success) {
    const { search = null } = toFieldErrors(parsed.error)
    return data({ search: { typed, found: null, error: search } }, { status: 422 })
  }
  const found = await findCases(ctx, parsed.data.search)
  const [first] = found.rows
  if (first && found.isNumber && found.rows.length === 1) {
    return redirect(adminPaths.prescriptionsWith({ id: first.id }), 303)
  }
  return data({ search: { typed, found, error: null } })
}

/** The use case of each form. */
const cases: Record<CaseIntent, (ctx: Context, fields: Fields, caseId: string) => Promise<ReviewCase>> = {
  clear: (ctx, fields) => clearLine(ctx, parseInput(clearInputSchema, caseInputs.clear(fields))),
  decideAlert: (ctx, fields) =>
    decideAlert(ctx, parseInput(alertDecisionInputSchema, caseInputs.decideAlert(fields))),
  refuse: (ctx, fields) => refuseLine(ctx, parseInput(refuseInputSchema, caseInputs.refuse(fields))),
  ask: (ctx, fields) => askAboutLine(ctx, parseInput(askInputSchema, caseInputs.ask(fields))),
  noteCall: (ctx, fields) => noteCall(ctx, parseInput(callInputSchema, caseInputs.noteCall(fields))),
  secondCheck: (ctx, fields) => secondCheck(ctx, parseInput(lineInputSchema, caseInputs.secondCheck(fields))),
  reopen: (ctx, fields) => reopenLine(ctx, parseInput(lineInputSchema, caseInputs.reopen(fields))),
  didNotLeave: (ctx, fields) =>
    didNotLeave(ctx, parseInput(didNotLeaveInputSchema, caseInputs.didNotLeave(fields))),
  transcribe: (ctx, fields) =>
    saveTranscription(ctx, parseInput(transcriptionInputSchema, caseInputs.transcribe(fields))),
  closeItem: (ctx, fields) => closeItem(ctx, parseInput(closeItemInputSchema, caseInputs.closeItem(fields))),
  reject: (ctx, fields, caseId) => decide(ctx, caseInputs.reject(fields), caseId),
  reviewAgain: (ctx, fields, caseId) => decide(ctx, caseInputs.reviewAgain(fields), caseId),
}

async function decide(
  ctx: Context,
  { id, version, ...decision }: ReturnType<typeof caseInputs.reject | typeof caseInputs.reviewAgain>,
  caseId: string,
): Promise<ReviewCase> {
  await decideReview(ctx, { id, version, ...parseInput(decisionSchema, decision) })
  return getCase(ctx, caseId)
}

/** Deletes a part of the draft: with it, the case would open the form again. */
async function discardDraft(ctx: Context, caseId: string, part: string): Promise<void> {
  const draft = await findDraft(ctx, caseId)
  if (!draft || !hasFields(draftPart(draft.fields, part))) return
  await saveDraft(ctx, { caseId, fields: {}, changed: [part] })
}

/**
 * What was typed with one more medicine, or with the medicines that match each typed name. A name
 * is looked up in a posted form: an address would tell it to every log on the way.
 */
async function editTranscription(ctx: Context, { edit, ...fields }: Fields): Promise<CaseFormFailure> {
  const added = edit === 'add' ? { [`items.${nextItemKey(itemKeysOf(fields))}.id`]: '' } : {}
  const values = { ...fields, ...added }
  const options = await findOptions(ctx, values, () => edit === 'find')
  return { intent: 'transcribe', values, message: null, fields: {}, options }
}

/**
 * The medicines that match each name that was typed for a new medicine, and for a stored one that
 * has another one chosen or is to be looked up. Without them the form would hide what is chosen.
 */
async function findOptions(
  ctx: Context,
  fields: Fields,
  isStoredLookedUp: (key: string) => boolean,
): Promise<Record<string, MedicineOption[]>> {
  const options: Record<string, MedicineOption[]> = {}
  for (const key of itemKeysOf(fields)) {
    const typed = fields[`items.${key}.medicine`]?.trim() ?? ''
    const isUnchanged =
      fields[`items.${key}.id`] && !fields[`items.${key}.variantId`] && !isStoredLookedUp(key)
    if (typed !== '' && !isUnchanged) options[key] = await suggestMedicines(ctx, typed.slice(0, 200))
  }
  return options
}
