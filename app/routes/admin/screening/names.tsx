import { AppError } from '#domain/errors.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { nameDecisionSchema, nameSchema } from '#domain/screening/ingredient-decisions.ts'
import { decideIngredientName, undoNameDecision } from '#server/screening/decide-ingredient-name.ts'
import { listIngredientNames, type UnknownName } from '#server/screening/list-unknown-names.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/names'

export const loader = adminLoader('catalog.write', (ctx, { request }: Route.LoaderArgs) =>
  listIngredientNames(ctx, new URL(request.url).searchParams.get('after')),
)

export const action = adminAction('catalog.write', async (ctx, args: Route.ActionArgs, form) => {
  const saved = (title: string) =>
    redirectWithToast(args, adminPaths.ingredientNames, { kind: 'success', title })
  const intent = getText(form, 'intent')
  if (intent === 'assign')
    return formAction(form, nameDecisionSchema, async (decision) => {
      await decideIngredientName(ctx, decision)
      return saved('Ingredient saved')
    })
  if (intent === 'none')
    return formAction(form, nameSchema, async ({ name }) => {
      await decideIngredientName(ctx, { name, ingredient: null })
      return saved('Saved as not in the lists')
    })
  if (intent !== 'undo') throw new AppError('BAD_REQUEST')
  return formAction(form, nameSchema, async ({ name }) => {
    await undoNameDecision(ctx, name)
    return saved('Decision undone')
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** Names of ingredients that no list has, as work to do, and what was decided about others. */
export default function IngredientNames({ loaderData, actionData }: Route.ComponentProps) {
  const { names, next, decisions } = loaderData
  const failure = actionData ?? null
  return (
    <AdminPage title="Unknown ingredients" back={{ to: adminPaths.screeningLists, label: 'Screening' }}>
      <p className="mb-4 max-w-3xl text-muted">
        These names aren’t in any list, so orders aren’t checked for them. Correct the product, or enter the
        ingredient that a name stands for.
      </p>
      {failure ? (
        <div className="mb-4">
          <ErrorSummary
            title={failure.message ?? 'Nothing has changed yet'}
            fields={toFieldIds(failure, names)}
          />
        </div>
      ) : null}
      {names.length === 0 ? <p className="card p-4 text-muted">All names are known.</p> : null}
      <ul className="grid gap-3">
        {names.map((unknown, i) => (
          <li key={unknown.name} className="card p-4">
            <Decision unknown={unknown} id={`ingredient-${i}`} failure={failure} />
          </li>
        ))}
      </ul>
      {next === null ? null : (
        <p className="mt-3">
          <Link to={adminPaths.ingredientNamesAfter(next)} className="text-link">
            More names
          </Link>
        </p>
      )}
      {decisions.length > 0 ? <Decided decisions={decisions} /> : null}
    </AdminPage>
  )
}

/** The error of the name's own field; the page has one for each name. */
const toFieldIds = (
  { fields, values }: FormFailure,
  names: readonly UnknownName[],
): Record<string, string> => {
  const at = names.findIndex(({ name }) => name === values['name'])
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [at < 0 ? field : `${field}-${at}`, message]),
  )
}

type DecisionProps = { unknown: UnknownName; id: string; failure: FormFailure | null }

function Decision({ unknown: { name, products, examples }, id, failure }: DecisionProps) {
  const own = failure?.values['name'] === name ? failure : null
  return (
    <>
      <h2>{name}</h2>
      <p className="mb-3 text-muted">
        {products === 1 ? '1 product' : `${products} products`}:{' '}
        {examples.map(({ productName }) => productName).join('; ')}
        {products > examples.length ? ' …' : ''}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <PostForm className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="intent" value="assign" />
          <input type="hidden" name="name" value={name} />
          <Field
            id={id}
            name="ingredient"
            label="Ingredient"
            autoComplete="off"
            defaultValue={own?.values['ingredient']}
            error={own?.fields['ingredient']}
          />
          <Button>Save</Button>
        </PostForm>
        <PostForm>
          <input type="hidden" name="intent" value="none" />
          <input type="hidden" name="name" value={name} />
          <Button kind="quiet">Not in the lists</Button>
        </PostForm>
      </div>
    </>
  )
}

type DecidedProps = { decisions: readonly { name: string; ingredient: string | null }[] }

const Decided = ({ decisions }: DecidedProps) => (
  <section aria-labelledby="decided" className="mt-6">
    <h2 id="decided" className="mb-3">
      Decided
    </h2>
    <ul className="grid gap-2">
      {decisions.map(({ name, ingredient }) => (
        <li key={name} className="flex flex-wrap items-center gap-3">
          <span>
            <b>{name}</b>: {ingredient ?? 'not in the lists'}
          </span>
          <PostForm>
            <input type="hidden" name="intent" value="undo" />
            <input type="hidden" name="name" value={name} />
            <Button kind="quiet">
              Undo<span className="sr-only"> {name}</span>
            </Button>
          </PostForm>
        </li>
      ))}
    </ul>
  </section>
)
