import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'

/** The name of a staff member by their id, as a record keeps it. Null for null. */
export type NameOf = {
  (id: string): Promise<string>
  (id: string | null): Promise<string | null>
}

/** Looks up each name once. */
export function createNames(ctx: Context): NameOf {
  const names = new Map<string, Promise<string>>()
  const find = async (id: string): Promise<string> => (await getStaffNames(ctx, [id])).get(id) ?? formerStaff
  function nameOf(id: string): Promise<string>
  function nameOf(id: string | null): Promise<string | null>
  async function nameOf(id: string | null): Promise<string | null> {
    if (id === null) return null
    const name = names.get(id) ?? find(id)
    names.set(id, name)
    return name
  }
  return nameOf
}

/** A note with its author's name instead of the id. */
export async function withName<Note extends { by: string }>(note: Note, nameOf: NameOf): Promise<Note>
export async function withName<Note extends { by: string }>(
  note: Note | null,
  nameOf: NameOf,
): Promise<Note | null>
export async function withName<Note extends { by: string }>(
  note: Note | null,
  nameOf: NameOf,
): Promise<Note | null> {
  return note && { ...note, by: await nameOf(note.by) }
}
