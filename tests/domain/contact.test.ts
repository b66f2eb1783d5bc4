import { contactBounds, contactSchema } from '#domain/contact/contact.ts'
import { expect, test } from 'vitest'

const good = { name: 'Zoë O’Hara', email: 'zoe@example.com', message: 'Where is my order?' }

/** The first sentence about a field, null when it is accepted. */
function problem(changed: Partial<Record<keyof typeof good, unknown>>): string | null {
  const result = contactSchema.safeParse({ ...good, ...changed })
  return result.success ? null : (result.error.issues[0]?.message ?? '')
}

test.each([
  [{ name: undefined }, 'Enter your name.'],
  [{ name: ' \t ' }, 'Enter your name.'],
  [{ name: 'x'.repeat(101) }, 'Your name can have at most 100 characters.'],
  [{ name: 'Zoë\r\nBcc: all@example.com' }, 'Enter your name on one line.'],
  [{ name: 'Zoë\u0000' }, 'Enter your name on one line.'],
  [{ email: undefined }, 'Enter your email address.'],
  [{ email: ' ' }, 'Enter your email address.'],
  [{ email: 'zoe' }, 'Enter an email address like name@example.com.'],
  [{ email: 'zoe@example' }, 'Enter an email address like name@example.com.'],
  [{ email: 'zoe@example.com\nBcc: all@example.com' }, 'Enter an email address like name@example.com.'],
  [{ email: 'a@example.com, b@example.com' }, 'Enter an email address like name@example.com.'],
  [{ email: `${'x'.repeat(250)}@example.com` }, 'Enter an email address of at most 254 characters.'],
  [{ message: undefined }, 'Enter a message.'],
  [{ message: '\r\n \u0000 ' }, 'Enter a message.'],
  [{ message: '\u200B\u200D\u202E\u2028 ' }, 'Enter a message.'],
  [{ name: '\u200B' }, 'Enter your name.'],
  [{ message: 'x'.repeat(5001) }, 'Your message can have at most 5,000 characters.'],
  [{ message: ['two', 'of them'] }, 'Enter a message.'],
])('%j is refused', (changed, sentence) => {
  expect(problem(changed)).toBe(sentence)
})

test.each([
  { name: 'x'.repeat(contactBounds.name) },
  { email: ' zoe+shop@mail.example.co.uk ' },
  { message: `  ${'x'.repeat(contactBounds.message)}  ` },
  // As many line breaks as a browser counts, each two characters on the wire.
  { message: `a${'\r\n'.repeat(contactBounds.message - 2)}b` },
  { name: '李', message: '👩‍⚕️' },
])('%j is accepted', (changed) => {
  expect(problem(changed)).toBeNull()
})

test('accepted values are trimmed, with normalized line breaks and without control characters', () => {
  expect(
    contactSchema.parse({
      name: ' Zoë\uD800 ',
      email: ' zoe@example.com\n',
      message: ' a\r\nb\rc\td\u0007\uD800 ',
    }),
  ).toEqual({ name: 'Zoë\uFFFD', email: 'zoe@example.com', message: 'a\nb\nc\td\uFFFD' })
})
