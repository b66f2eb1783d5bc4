import { expect, test } from 'vitest'
import { userStrings } from '../../scripts/copy/user-strings.ts'

const stringsOf = (source: string): string[] =>
  userStrings('page.tsx', source).map(({ line, kind, text }) => `${line} ${kind}: ${text}`)

test('the copy list has the text and the labels of a page', () => {
  const page = `import { Page } from './page.tsx'
export const page = (count: number) => (
  <main className="page wide" data-kind="Order page">
    <p>Order <b>{order.id}</b>
      {count === 1 ? 'has shipped' : 'is packed'}.</p>
    <button type="submit" aria-label="Cancel the order">Cancel</button>
    <Fact name="Current medications" value={isOpen && 'None'} />
  </main>
)`
  expect(stringsOf(page)).toEqual([
    '4 text: Order {order.id} {has shipped|is packed}.',
    '6 text: Cancel',
    '6 aria-label: Cancel the order',
    '7 name: Current medications',
  ])
})

test('the copy list has errors, validation, toasts, log lines and command output', () => {
  const server = `const states = { packed: 'Being packed', key: 'packed_at', name: 'Orders', id: 'Packed' }
const reason = 'out of stock'
if (reason === 'Gone') throw new AppError('CONFLICT', \`Only \${count} left.\`)
const schema = z.string({ error: 'Enter a name.' }).max(50, 'Use at most 50 characters.')
showToast({ kind: 'error', title: 'Update Failed', text: 'Try again' })
ctx.log.error({ err }, 'mail failed')
process.stdout.write(\`\${email} is now an admin.\`)
const rows = sql\`select name from products\``
  expect(stringsOf(server)).toEqual([
    '1 packed: Being packed',
    '1 name: Orders',
    '2 reason: out of stock',
    '3 AppError: Only {count} left.',
    '4 validation: Enter a name.',
    '4 validation: Use at most 50 characters.',
    '5 title: Update Failed',
    '5 text: Try again',
    '6 log: mail failed',
    '7 command line: {email} is now an admin.',
  ])
})
