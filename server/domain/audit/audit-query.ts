import { z } from 'zod'
import { dayMs } from '../days.ts'
import { isId } from '../ids.ts'
import { auditActions, shopSubjectId, signInActions, type AuditAction } from './audit.ts'

/** Actions that are filtered together. */
const actionGroups = {
  views: {
    label: 'Everything that was viewed',
    actions: Object.keys(auditActions).filter((name) => /[.-](?:read|listed|opened|exported)$/.test(name)),
  },
  access: { label: 'Sign-ins, roles and access', actions: [...signInActions] },
} as const satisfies Record<string, { label: string; actions: readonly string[] }>
type ActionGroup = keyof typeof actionGroups

const isAction = (name: string): name is AuditAction => Object.hasOwn(auditActions, name)
const isGroup = (name: string): name is ActionGroup => Object.hasOwn(actionGroups, name)

/** The actions of a choice: one of `auditActions`, or all of a group. */
export const actionsOf = (choice: string): AuditAction[] =>
  isGroup(choice) ? actionGroups[choice].actions.filter(isAction) : [choice].filter(isAction)

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The choices of the filter. */
export const actionChoices = {
  groups: Object.entries(actionGroups).map(([value, { label }]) => ({ value, label })),
  actions: Object.entries(auditActions)
    .map(([value, text]) => ({ value, label: capitalize(text) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-US')),
}

/** Without a person, no index finds the rows of an action. So at most this many days are read. */
export const maxDays = 92
/** What the list shows when no day was chosen. */
export const defaultDays = 30

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema]).default(null)

const day = optional(z.iso.date('Enter a date.'))

/** Both days included. NaN when one is not a day. */
const countDays = (from: string | null, to: string): number =>
  (Date.parse(to) - Date.parse(from ?? '')) / dayMs + 1

/**
 * The filters of the audit log, as its form sends them. Days are in UTC and included.
 * @param today the last day when none was chosen
 */
export const auditQuerySchema = (today: string) =>
  z
    .object({
      who: optional(z.string().refine(isId, 'Choose someone from the list.')),
      about: optional(z.string().refine((id) => isId(id) || id === shopSubjectId, 'No account has this ID.')),
      action: optional(z.string().refine((choice) => actionsOf(choice).length > 0, 'Choose from the list.')),
      from: day,
      to: day,
      /** A row's id: only rows before it. */
      before: z.string().refine(isId).nullable().catch(null),
    })
    // What is not a day is NaN here. It has a message of its own.
    .refine(({ from, to }) => !(countDays(from, to ?? today) < 1), {
      path: ['to'],
      error: 'Choose a day that isn’t before “From”.',
    })
    .refine(
      ({ who, about, from, to }) =>
        who !== null || about !== null || !(countDays(from, to ?? today) > maxDays),
      { path: ['from'], error: `Choose at most ${maxDays} days, or a person.` },
    )
export type AuditQuery = z.output<ReturnType<typeof auditQuerySchema>>
