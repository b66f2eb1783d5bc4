import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useState } from 'react'
import { ClearForm } from './ClearForm.tsx'
import { LineAlerts } from './LineAlerts.tsx'
import { LineCard } from './LineCard.tsx'
import { LineEquivalents } from './LineEquivalents.tsx'
import { LineForms } from './LineForms.tsx'
import { NotChecked } from './NotChecked.tsx'
import { OtherAlerts } from './OtherAlerts.tsx'
import type { CaseDraftEdit } from './use-case-draft.ts'
import type { CaseForms } from './use-case-forms.ts'

type LinesPanelProps = { reviewCase: ReviewCase; forms: CaseForms; draft: CaseDraftEdit }

/** The order's prescription lines with their decisions. */
export function LinesPanel({ reviewCase, forms, draft }: LinesPanelProps) {
  const { lines, order, prescriptions, otherItems, readOnlyReason, settings, screening } = reviewCase
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const items = [...prescriptions.flatMap(({ items }) => items), ...otherItems]
  const itemOf = (line: CaseLine) => {
    const cleared = forms.failureOf('clear', line.id)?.values['item']?.split(' ')[0]
    const typed = cleared ?? forms.failureOf('decideAlert', line.id)?.values['itemId']
    const itemId = chosen[line.id] ?? (typed || defaultItemId(line))
    return items.find(({ id }) => id === itemId) ?? null
  }
  const notCheckedWith = (line: CaseLine): string[] =>
    line.candidates.find(({ itemId }) => itemId === itemOf(line)?.id)?.notChecked ?? []
  return (
    <>
      <ul className="grid gap-3">
        {lines.map((line) => (
          <LineCard
            key={line.id}
            line={line}
            item={itemOf(line)}
            orderId={order?.id ?? ''}
            twoPharmacists={settings.twoPharmacists}
            problem={forms.problemOf(line.id)}
          >
            {screening ? (
              <LineAlerts
                caseId={reviewCase.id}
                line={line}
                itemId={itemOf(line)?.id ?? null}
                screening={screening}
                forms={readOnlyReason === null ? forms : null}
              />
            ) : null}
            {line.equivalents ? (
              <LineEquivalents line={line} equivalents={line.equivalents} item={itemOf(line)} />
            ) : null}
            {readOnlyReason === null ? (
              <>
                {isUndecided(line.status) ? (
                  <ClearForm
                    line={line}
                    reviewCase={reviewCase}
                    itemId={itemOf(line)?.id ?? ''}
                    onChooseItem={(itemId) => setChosen({ ...chosen, [line.id]: itemId })}
                    forms={forms}
                  />
                ) : null}
                <LineForms line={line} reviewCase={reviewCase} forms={forms} draft={draft} />
              </>
            ) : null}
          </LineCard>
        ))}
      </ul>
      {screening ? (
        <>
          <OtherAlerts reviewCase={reviewCase} screening={screening} />
          <NotChecked texts={[...new Set([...screening.notChecked, ...lines.flatMap(notCheckedWith)])]} />
        </>
      ) : null}
      {order && order.otherLines.length > 0 ? (
        <p className="mt-3 text-muted">
          Items without a prescription in this order:{' '}
          {order.otherLines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}
        </p>
      ) : null}
    </>
  )
}

/**
 * The item that a line has, unless only others can still fill it; else the first of the line's
 * patient that can. Empty when only an item of another patient can: the pharmacist must choose it.
 */
function defaultItemId({ status, itemId, patientId, candidates }: CaseLine): string {
  const possible = candidates.filter(({ isPossible }) => isPossible)
  const isOver = possible.length > 0 && !possible.some((each) => each.itemId === itemId)
  if (itemId !== null && !(isUndecided(status) && isOver)) return itemId
  const own = (possible.length > 0 ? possible : candidates).find((each) => each.patientId === patientId)
  return own?.itemId ?? ''
}
