import { renderStatic } from '../../render/fragment-cache.server.ts'

/** The demo's cards, as HTML: they have no behavior, so the page loads no code for them. */
export const renderTestCards = (): string => renderStatic(TestCards, {})

/** The demo cards and their results (contract, "Demo payments"). */
const testCards = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0025 0000 3155', 'requires verification'],
] as const

const TestCards = () => (
  <>
    <p className="pb-1">Pay with one of these cards, any future date and any CVC:</p>
    <ul className="space-y-1 pb-3">
      {testCards.map(([number, outcome]) => (
        <li key={number}>
          <span className="font-mono text-sm">{number}</span> {outcome}
        </li>
      ))}
    </ul>
  </>
)
