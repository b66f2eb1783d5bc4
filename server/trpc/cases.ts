import { alertDecisionInputSchema } from '#domain/alerts/alert-decision-schema.ts'
import {
  askInputSchema,
  callInputSchema,
  caseQuerySchema,
  caseSearchSchema,
  clearInputSchema,
  closeItemInputSchema,
  didNotLeaveInputSchema,
  draftInputSchema,
  lineInputSchema,
  refuseInputSchema,
  transcriptionInputSchema,
} from '#domain/dispensing/case-inputs.ts'
import { askAboutLine } from '../reviews/ask-about-line.ts'
import { listViewers, saveDraft } from '../reviews/case-drafts.ts'
import { clearLine } from '../reviews/clear-line.ts'
import { closeItem } from '../reviews/close-item.ts'
import { decideAlert } from '../reviews/decide-alert.ts'
import { findCases } from '../reviews/find-cases.ts'
import { getCase } from '../reviews/get-case.ts'
import { listCases } from '../reviews/list-cases.ts'
import { noteCall } from '../reviews/note-call.ts'
import { refuseLine } from '../reviews/refuse-line.ts'
import { didNotLeave, reopenLine } from '../reviews/reopen-line.ts'
import { saveTranscription } from '../reviews/save-transcription.ts'
import { secondCheck } from '../reviews/second-check.ts'
import { suggestMedicines } from '../reviews/suggest-medicines.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema, searchTextSchema } from './inputs.ts'

const pharmacistProcedure = procedureFor('prescriptions.clear')

export const casesRouter = router({
  list: procedureFor('prescriptions.review')
    .input(gridInput(caseQuerySchema))
    .query(({ ctx, input }) => listCases(ctx, input)),
  find: procedureFor('prescriptions.review')
    .input(caseSearchSchema)
    .query(({ ctx, input }) => findCases(ctx, input.search)),
  get: procedureFor('prescriptions.review')
    .input(idSchema)
    .query(({ ctx, input }) => getCase(ctx, input.id)),
  viewers: procedureFor('prescriptions.review')
    .input(idSchema)
    .mutation(({ ctx, input }) => listViewers(ctx, input.id)),
  medicines: procedureFor('prescriptions.review')
    .input(searchTextSchema)
    .query(({ ctx, input }) => suggestMedicines(ctx, input.text)),
  saveDraft: pharmacistProcedure.input(draftInputSchema).mutation(({ ctx, input }) => saveDraft(ctx, input)),
  transcribe: pharmacistProcedure
    .input(transcriptionInputSchema)
    .mutation(({ ctx, input }) => saveTranscription(ctx, input)),
  closeItem: pharmacistProcedure
    .input(closeItemInputSchema)
    .mutation(({ ctx, input }) => closeItem(ctx, input)),
  clear: pharmacistProcedure.input(clearInputSchema).mutation(({ ctx, input }) => clearLine(ctx, input)),
  decideAlert: pharmacistProcedure
    .input(alertDecisionInputSchema)
    .mutation(({ ctx, input }) => decideAlert(ctx, input)),
  secondCheck: pharmacistProcedure
    .input(lineInputSchema)
    .mutation(({ ctx, input }) => secondCheck(ctx, input)),
  reopen: pharmacistProcedure.input(lineInputSchema).mutation(({ ctx, input }) => reopenLine(ctx, input)),
  didNotLeave: pharmacistProcedure
    .input(didNotLeaveInputSchema)
    .mutation(({ ctx, input }) => didNotLeave(ctx, input)),
  refuse: pharmacistProcedure.input(refuseInputSchema).mutation(({ ctx, input }) => refuseLine(ctx, input)),
  ask: pharmacistProcedure.input(askInputSchema).mutation(({ ctx, input }) => askAboutLine(ctx, input)),
  noteCall: pharmacistProcedure.input(callInputSchema).mutation(({ ctx, input }) => noteCall(ctx, input)),
})
