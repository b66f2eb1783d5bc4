import { AppError } from '#domain/errors.ts'
import {
  addInputSchema,
  entryInputSchema,
  noAllergiesInputSchema,
  pregnancyInputSchema,
} from '#domain/patients/patient-inputs.ts'
import {
  addToList,
  answerPregnancy,
  confirmNames,
  removeFromList,
  setNoKnownAllergies,
} from '#server/patients/change-record.ts'
import { data, type RouterContextProvider } from 'react-router'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../../http/request-context.server.ts'
import { listSectionId, type ListChoice } from './list-labels.ts'

const intents = ['add-to-list', 'remove-from-list', 'confirm-names', 'no-allergies', 'pregnancy'] as const
type Intent = (typeof intents)[number]

/** Whether a posted form is one of a patient's lists. */
export const readListIntent = (form: FormData): Intent | null => {
  const sent = getText(form, 'intent')
  return intents.find((intent) => intent === sent) ?? null
}

/**
 * The forms of a patient's lists. A name that is not clear returns the names to choose from; a
 * change redirects to its list. No name is in a URL or in the toast.
 * @param path the page with the lists
 */
export async function listsAction(
  { context }: { context: Readonly<RouterContextProvider> },
  { form, intent, path }: { form: FormData; intent: Intent; path: string },
) {
  const { ctx } = context.get(requestContext)
  const saved = (section: string) =>
    redirectWithToast({ context }, `${path}#${section}`, { kind: 'success', title: 'Saved' })
  const changeEntry = (change: typeof removeFromList) =>
    formAction(
      form,
      entryInputSchema,
      async (input) => {
        await change(ctx, input)
        return saved(listSectionId(input.list))
      },
      ctx,
    )
  switch (intent) {
    case 'add-to-list':
      return formAction(
        form,
        addInputSchema,
        async (input) => {
          const options = await addToList(ctx, input)
          if (options === null) return saved(listSectionId(input.list))
          return data<ListChoice>({ choice: { list: input.list, name: input.name, options } })
        },
        ctx,
      )
    case 'remove-from-list':
      return changeEntry(removeFromList)
    case 'confirm-names':
      return changeEntry(confirmNames)
    case 'no-allergies':
      return formAction(
        form,
        noAllergiesInputSchema,
        async (input) => {
          await setNoKnownAllergies(ctx, input)
          return saved(listSectionId('allergies'))
        },
        ctx,
      )
    case 'pregnancy':
      return formAction(
        form,
        pregnancyInputSchema,
        async (input) => {
          await answerPregnancy(ctx, input)
          return saved('pregnancy')
        },
        ctx,
      )
    default:
      intent satisfies never
      throw new AppError('BAD_REQUEST')
  }
}
