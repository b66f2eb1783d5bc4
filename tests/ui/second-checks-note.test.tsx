import { newQueryClient, newTrpcClient, trpc } from '#app/http/trpc.ts'
import { AccessDialog } from '#app/routes/admin/accounts/AccessDialog.tsx'
import { DeleteUser } from '#app/routes/admin/accounts/DeleteUser.tsx'
import { secondChecksNote } from '#domain/settings/second-checks.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

const secondChecks = { pharmacists: 2 }
const note = secondChecksNote(secondChecks)

const render = (page: ReactNode): string =>
  renderToStaticMarkup(
    <trpc.Provider client={newTrpcClient()} queryClient={newQueryClient()}>
      <QueryClientProvider client={newQueryClient()}>{page}</QueryClientProvider>
    </trpc.Provider>,
  )
const ignore = (): void => {}

test('the deletion of a pharmacist says what the second checks need', () => {
  const user = { id: 'x', email: 'pia@shop.example', firstName: 'Pia', lastName: 'Roth' }
  const renderDeletion = (checks: typeof secondChecks | null) =>
    render(<DeleteUser user={user} secondChecks={checks} onDeleted={ignore} onClose={ignore} />)
  expect(renderDeletion(secondChecks)).toContain(note)
  expect(renderDeletion(null)).not.toContain(note)
})

test('a suspension says what the second checks need only when a pharmacist may be among the accounts', () => {
  const renderSuspension = (mayLosePharmacist: boolean) =>
    render(
      <AccessDialog
        change="suspend"
        target="3 users"
        mayLosePharmacist={mayLosePharmacist}
        secondChecks={secondChecks}
        isBusy={false}
        error={undefined}
        onConfirm={ignore}
        onClose={ignore}
      />,
    )
  expect(renderSuspension(true)).toContain(note)
  expect(renderSuspension(false)).not.toContain(note)
})
