import { newQueryClient, newTrpcClient, trpc } from '#app/http/trpc.ts'
import { CaseView } from '#app/routes/admin/prescriptions/CaseView.tsx'
import type { Context } from '#server/context.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPharmacist, clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'

async function renderCase(ctx: Context, id: string): Promise<string> {
  const reviewCase = await getCase(ctx, id)
  const Page = () => (
    <CaseView
      reviewCase={reviewCase}
      openedId={id}
      readFailure={null}
      isReading={false}
      onReload={() => Promise.resolve(true)}
      nextHref={null}
      posted={null}
      editedId={null}
    />
  )
  const Stub = createRoutesStub([{ path: '/', Component: Page }])
  return renderToStaticMarkup(
    <trpc.Provider client={newTrpcClient()} queryClient={newQueryClient()}>
      <QueryClientProvider client={newQueryClient()}>
        <Stub />
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

eachEngine((_engine, openDb) => {
  test('a case is done for the pharmacist who cleared it, not for one who can do its second check', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const opened = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
      variantId,
    ])
    await clearLine(pharmacist, clearInputOf(lineOf(opened)))
    const setting = { name: 'twoPharmacists', value: 'true', updatedAt: testDay } as const
    await db.insertInto('settings').values(setting).execute()
    const second = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const toCheck = await renderCase(second, order.id)
    expect(toCheck).toContain('Waiting for your second check.')
    expect(toCheck).not.toContain('All lines are decided.')
    const cleared = await renderCase(pharmacist, order.id)
    expect(cleared).toContain('Waiting for a second check by another pharmacist.')
    expect(cleared).toContain('All lines are decided.')
    const unlicensed = await addPharmacist(db, { firstName: 'Ola', lastName: 'Berg', isLicensed: false })
    expect(await renderCase(unlicensed, order.id)).not.toContain('Waiting for your second check.')
  })
})
