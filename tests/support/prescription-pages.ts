import { makeUser, signInAs } from './accounts.ts'
import { addIdDocument } from './prescriptions.ts'
import type { Shop, Visitor } from './shop.ts'
import { expect } from 'vitest'

export type Person = Visitor & { id: string }

export async function person(
  shop: Shop,
  overrides: { isAdmin?: boolean; idDocument?: boolean } = {},
): Promise<Person> {
  const id = await makeUser(shop.db, { isAdmin: overrides.isAdmin ?? false })
  if (overrides.idDocument) await addIdDocument(shop.db, id)
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

export const json = (visitor: Visitor, method: string, path: string, body?: unknown): Promise<Response> =>
  visitor.request(path, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Uploads a file as the page's script does and returns its reference. */
export async function upload(visitor: Visitor, file: Buffer): Promise<string> {
  const { uploadURL } = (await (await json(visitor, 'POST', '/api/objects/upload')).json()) as {
    uploadURL: string
  }
  const put = await visitor.request(uploadURL, {
    method: 'PUT',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new Uint8Array(file),
  })
  expect(put.status).toBe(200)
  return ((await put.json()) as { url: string }).url
}

export const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status
