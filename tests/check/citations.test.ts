import { expect, test } from 'vitest'
import { citationFaults } from '../../scripts/check/citations.ts'
import { repositoryOf } from '../../scripts/check/documents.ts'

const documents = {
  'docs/specification.md':
    '## 4. States\n\n- Stock: a variant is in stock.\n\n## 9. Limits\n\n- Prices shown with $.\n',
  'docs/contract.md':
    '## Labels that automation relies on\n\n| Variant form | `Product` |\n\n**Shapes.** Money is text.\n',
  'docs/settled-decisions.md':
    '| `/orders/{id}` | Order detail |\n| `inStock` versus `stockQuantity` (default 0) | … |\n',
  'docs/decisions/0012-frame.md': '# 0012 The frame\n',
  'package.json': '{ "scripts": { "db:seed": "" } }',
}

const faultsOf = (path: string, text: string): string[] => {
  const texts = { ...documents, [path]: text }
  return citationFaults(repositoryOf(texts, Object.keys(texts)))
}

test.each([
  '(specification, section 4)',
  '(specification, sections 4 and 9)',
  '(specification, section 9, "Prices")',
  '(contract, "Labels", "Variant form" and "Shapes")',
  '(settled decisions, `/orders/{id}`)',
  '(settled decisions, "`inStock` versus\n * `stockQuantity`")',
  '(docs/decisions/0012)',
  '(docs/decisions/0012-frame.md)',
  '(docs/contract.md, "Labels")',
  'in the order of the contract, which an API client reads',
])('a comment may cite %s', (citation) => {
  expect(faultsOf('server/a.ts', `/**\n * Why ${citation}.\n */`)).toEqual([])
})

test.each([
  ['(specification, section 3)', 'cites section 3 of docs/specification.md'],
  ['(specification, sections 4 and 5)', 'cites section 5 of docs/specification.md'],
  ['(specification, section 4, "Prices")', 'cites "Prices" of docs/specification.md'],
  ['section 7 of the specification', 'cites section 7 of docs/specification.md'],
  ['(contract, "Label")', 'cites "Label" of docs/contract.md'],
  ['(contract,\n * "Labels" and "Headers")', 'cites "Headers" of docs/contract.md'],
  ['(decisions, "File type")', 'cites decisions, "File type": name the settled decisions'],
  ['(docs/decisions/0013)', 'cites docs/decisions/0013, which does not exist'],
  ['(docs/testing.md)', 'cites docs/testing.md, which does not exist'],
  ['(docs/contract.md, "Headers")', 'cites "Headers" of docs/contract.md'],
])('a comment that cites %s is refused', (citation, fault) => {
  const faults = faultsOf('server/a.ts', `/**\n * Why ${citation}.\n */`)
  expect(faults).toHaveLength(1)
  expect(faults.join()).toContain(fault)
})

test.each([
  ['[the frame](decisions/0012-frame.md)', []],
  ['[labels](contract.md#labels-that-automation-relies-on)', []],
  ['[elsewhere](https://example.com/missing.md)', []],
  [
    '[the frame](decisions/0013-frame.md)',
    ['docs/a.md links to decisions/0013-frame.md, which does not exist.'],
  ],
  [
    '[labels](contract.md#labels)',
    ['docs/a.md links to contract.md#labels, but the heading does not exist.'],
  ],
  ['`docs/contract.md`, `decisions/0012-frame.md` and `0012-frame.md`', []],
  ['`server/orders/gone.ts`', ['docs/a.md names server/orders/gone.ts, which does not exist.']],
  [
    '`gone.ts` and `#domain/gone.ts`',
    [
      'docs/a.md names gone.ts, which does not exist.',
      'docs/a.md names #domain/gone.ts, which does not exist.',
    ],
  ],
  [
    '`npm run db:seed`, `npm run bench:…`',
    ['docs/a.md names npm run bench, which package.json does not have.'],
  ],
  ['`data/secrets.json`, `/admin/variants.csv` and `.gz`', []],
])('Markdown with %s has these faults', (text, faults) => {
  expect(faultsOf('docs/a.md', text)).toEqual(faults)
})

test('names, lines and log messages that Markdown quotes must be in the code, lines in the same order', () => {
  const texts = {
    'server/a.ts': 'export const one = 1\n  export const two = 2\n',
    'docs/a.md':
      '`one` in `server/a.ts`\n\n```ts server/a.ts\nexport const one = 1\n…\nexport const two = 2\n```\n',
  }
  const faults = (guide: string) => {
    const all = { ...texts, 'docs/a.md': guide }
    return citationFaults(repositoryOf(all, Object.keys(all)))
  }
  expect(faults(texts['docs/a.md'])).toEqual([])
  expect(faults('`three` in `server/a.ts`')).toEqual([
    'docs/a.md names three in server/a.ts, which does not contain it.',
  ])
  expect(faults('```ts server/a.ts\nexport const two = 2\nexport const one = 1\n```\n')).toEqual([
    'docs/a.md quotes a line that server/a.ts does not have: export const one = 1',
  ])
  expect(faults('1. So:\n\n   ```ts server/a.ts\n   export const three = 3\n   ```\n')).toEqual([
    'docs/a.md quotes a line that server/a.ts does not have: export const three = 3',
  ])
  expect(faults('`it failed` (warn)')).toEqual([
    'docs/a.md has the log line "it failed", which the shop does not log.',
  ])
  expect(faults('```ts server/b.ts\nexport const one = 1\n```\n')).toEqual([
    'docs/a.md quotes server/b.ts, which does not exist.',
  ])
})
