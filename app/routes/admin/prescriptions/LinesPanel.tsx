import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { caseBounds, type CaseItem, type CaseLine, type ReviewCase } from '#domain/dispensing/review-case.ts'
import { useState } from 'react'
import { trpc } from '../../../http/trpc.ts'
import { MessageCircle } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CircleCheck, CircleX, Phone, Undo2 } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { ClearForm } from './ClearForm.tsx'
import { LineCard } from './LineCard.tsx'
import { NoteDialog, type NoteRequest } from './NoteDialog.tsx'
import type { CaseCalls } from './use-case-calls.ts'
import { usePause } from './use-pause.ts'

type LinesPanelProps = {
  reviewCase: ReviewCase
  calls: CaseCalls
  /** A line was decided; the focus goes on. */
  onDecided: () => void
}

/** Frequent reasons, which the customer reads. */
const refusalReasons = [
  'The prescription is for another medicine or strength.',
  'The file is not legible.',
  'The signature is missing.',
  'The name doesn’t match the ID document.',
]

/** The order's prescription lines with their decisions. */
export function LinesPanel({ reviewCase, calls, onDecided }: LinesPanelProps) {
  const { lines, order, patient, readOnlyReason, settings } = reviewCase
  const cases = trpc.cases
  const [clear, refuse, secondCheck, reopen, didNotLeave, ask, note] = [
    cases.clear.useMutation(),
    cases.refuse.useMutation(),
    cases.secondCheck.useMutation(),
    cases.reopen.useMutation(),
    cases.didNotLeave.useMutation(),
    cases.ask.useMutation(),
    cases.noteCall.useMutation(),
  ]
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const pause = usePause()
  const [dialog, setDialog] = useState<{ lineId: string; request: NoteRequest } | null>(null)
  const items = new Map(
    [...reviewCase.prescriptions.flatMap(({ items }) => items), ...reviewCase.otherItems].map((item) => [
      item.id,
      item,
    ]),
  )
  const { isBusy } = calls

  const decide = async (lineId: string, title: string, call: () => Promise<ReviewCase>): Promise<void> => {
    if (!pause.isOver() || !(await calls.run(lineId, call))) return
    pause.start()
    setDialog(null)
    showToast({ kind: 'success', title })
    onDecided()
  }
  const open = (lineId: string, request: NoteRequest): void => {
    calls.clearFailure()
    setDialog({ lineId, request })
  }
  const { name } = patient
  // When another pharmacist was first, the line says what they did.
  if (dialog && calls.isStale(dialog.lineId)) setDialog(null)
  const dialogError = dialog
    ? (Object.values(calls.errorsOf(dialog.lineId))[0] ?? calls.problemOf(dialog.lineId))
    : null

  const actionsOf = (line: CaseLine, item: CaseItem | null) => {
    const { id: lineId, version } = line
    const product = line.product.name
    const isOpen = isUndecided(line.status)
    return (
      <>
        {isOpen ? (
          <ClearForm
            line={line}
            reviewCase={reviewCase}
            itemId={item?.id ?? ''}
            onChooseItem={(itemId) => setChosen({ ...chosen, [lineId]: itemId })}
            errors={calls.errorsOf(lineId)}
            isBusy={isBusy}
            onClear={(input) => void decide(lineId, `Cleared: ${product}`, () => clear.mutateAsync(input))}
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          {line.canCheck ? (
            <Button
              type="button"
              kind="primary"
              disabled={isBusy}
              onClick={() =>
                void decide(lineId, `Checked: ${product}`, () => secondCheck.mutateAsync({ lineId, version }))
              }
            >
              <CircleCheck /> Second check
            </Button>
          ) : null}
          {isOpen ? (
            <>
              <Button
                type="button"
                disabled={isBusy}
                onClick={() =>
                  open(lineId, {
                    title: `Refuse ${product}`,
                    explanation: `${name} will read the reason on the order’s page, and pays nothing for this line.`,
                    label: 'Reason',
                    field: 'reason',
                    maxLength: caseBounds.reason,
                    submitLabel: 'Refuse',
                    submitKind: 'danger',
                    suggestions: refusalReasons,
                    onSubmit: (reason) =>
                      void decide(lineId, `Refused: ${product}`, () =>
                        refuse.mutateAsync({ lineId, version, reason }),
                      ),
                  })
                }
              >
                <CircleX /> Refuse
              </Button>
              <Button
                type="button"
                kind="quiet"
                disabled={isBusy}
                onClick={() =>
                  open(lineId, {
                    title: 'Ask the customer',
                    explanation: `${name} will read and answer it on the order’s page. The email only says that there is a question.`,
                    label: 'Question',
                    field: 'question',
                    maxLength: caseBounds.question,
                    submitLabel: 'Send question',
                    onSubmit: (question) =>
                      void decide(lineId, 'Question sent', () =>
                        ask.mutateAsync({ lineId, version, question }),
                      ),
                  })
                }
              >
                <MessageCircle /> Ask the customer
              </Button>
              <Button
                type="button"
                kind="quiet"
                disabled={isBusy}
                onClick={() =>
                  open(lineId, {
                    title: 'Call to the prescriber',
                    explanation: 'Only the staff reads this note.',
                    label: 'Whom you called and what they said',
                    field: 'note',
                    maxLength: caseBounds.note,
                    submitLabel: 'Save note',
                    onSubmit: (text) =>
                      void decide(lineId, 'Note saved', () =>
                        note.mutateAsync({ lineId, version, note: text }),
                      ),
                  })
                }
              >
                <Phone /> Note a call
              </Button>
            </>
          ) : null}
          {line.status === 'cleared' && line.fillStatus !== 'dispensed' && order?.status !== 'cancelled' ? (
            <Button
              type="button"
              kind="quiet"
              disabled={isBusy}
              onClick={() =>
                void decide(lineId, `Back in the queue: ${product}`, () =>
                  reopen.mutateAsync({ lineId, version }),
                )
              }
            >
              <Undo2 /> Review again
            </Button>
          ) : null}
          {line.fillStatus === 'dispensed' ? (
            <Button
              type="button"
              kind="quiet"
              disabled={isBusy}
              onClick={() =>
                open(lineId, {
                  title: 'Did not leave the pharmacy',
                  explanation: 'The fill is released and counts no more. Only the staff reads the reason.',
                  label: 'Reason',
                  field: 'reason',
                  maxLength: caseBounds.reason,
                  submitLabel: 'It did not leave',
                  submitKind: 'danger',
                  onSubmit: (reason) =>
                    void decide(lineId, `Released: ${product}`, () =>
                      didNotLeave.mutateAsync({ lineId, version, reason }),
                    ),
                })
              }
            >
              <Undo2 /> Did not leave
            </Button>
          ) : null}
        </div>
      </>
    )
  }

  return (
    <>
      <ul className="grid gap-3">
        {lines.map((line) => {
          const item = items.get(chosen[line.id] ?? defaultItemId(line)) ?? null
          return (
            <LineCard
              key={line.id}
              line={line}
              item={item}
              twoPharmacists={settings.twoPharmacists}
              problem={dialog ? null : (calls.errorsOf(line.id)['line'] ?? calls.problemOf(line.id))}
            >
              {readOnlyReason === null ? actionsOf(line, item) : null}
            </LineCard>
          )
        })}
      </ul>
      {order && order.otherLines.length > 0 ? (
        <p className="mt-3 text-muted">
          Without prescription, waiting with these:{' '}
          {order.otherLines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}
        </p>
      ) : null}
      <NoteDialog
        request={dialog?.request ?? null}
        isBusy={isBusy}
        error={dialogError ?? undefined}
        onClose={() => setDialog(null)}
      />
    </>
  )
}

/** The item that a line has, else the first that can fill it. */
const defaultItemId = ({ itemId, candidates }: CaseLine): string =>
  itemId ?? (candidates.find(({ isPossible }) => isPossible) ?? candidates[0])?.itemId ?? ''
