import { useId, useRef, useState, type ReactNode } from 'react'
import { hasFields, notePart } from '#domain/dispensing/draft-fields.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextAreaField } from '../../../ui/Field.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { readFields } from './case-fields.ts'
import { CaseForm } from './CaseForm.tsx'
import type { CaseIntent } from './case-forms.ts'
import { DraftState } from './DraftState.tsx'
import type { CaseDraftEdit } from './use-case-draft.ts'
import type { CaseForms } from './use-case-forms.ts'

type NoteFormProps = {
  forms: CaseForms
  /** Keeps what is typed until it is sent, canceled or its subject is decided. */
  draft: CaseDraftEdit
  intent: CaseIntent
  /** What it is about: a line, an item or a prescription. */
  subject: string
  sends: Record<string, string | number>
  /** What opens it, and how that looks: `edge` aligns its text with what is above it. */
  opener: ReactNode
  openerKind?: 'secondary' | 'quiet' | 'edge'
  /** Who will read the text, and what happens. */
  explanation: string
  label: string
  /** The field's name. */
  field: string
  maxLength: number
  submitLabel: string
  submitKind?: 'primary' | 'danger'
  /** A click adds the text, which can then be edited. */
  suggestions?: readonly string[]
  /** A choice beside the text. */
  choice?: { label: string; field: string; options: Readonly<Record<string, string>> }
  /** Forms with the same name close each other. */
  group: string
}

const openerKinds = {
  secondary: 'btn-outline border-base-content/55',
  quiet: 'btn-ghost',
  edge: 'btn-ghost -ms-2.5',
} as const

/** Asks for a reason, a question or a note, below the button that opens it. */
export function NoteForm({ forms, draft, intent, subject, sends, group, ...texts }: NoteFormProps) {
  const {
    opener,
    openerKind = 'quiet',
    explanation,
    label,
    field,
    maxLength,
    submitLabel,
    suggestions = [],
    choice,
  } = texts
  const failure = forms.failureOf(intent, subject)
  const part = notePart(intent, subject)
  const [drafted, setDrafted] = useState(() => draft.read(part))
  const [cancels, setCancels] = useState(0)
  const [isOpen, setOpen] = useState(failure !== null || hasFields(drafted))
  const startOf = (name: string): string => failure?.values[name] ?? drafted[name] ?? ''
  const details = useRef<HTMLDetailsElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const hydrated = useHydrated()
  const id = useId()
  const keepDraft = (): void => {
    if (!area.current?.form) return
    const typed = Object.entries(readFields(area.current.form))
    const isDrafted = (name: string): boolean => name === field || name === choice?.field
    // A choice has no blank option. Without a text it is no draft.
    const isBlank = area.current.value.trim() === ''
    draft.change(part, Object.fromEntries(isBlank ? [] : typed.filter(([name]) => isDrafted(name))))
  }
  const close = (): void => {
    details.current?.removeAttribute('open')
    details.current?.querySelector('summary')?.focus()
  }
  const cancel = (): void => {
    forms.forget(intent, subject)
    draft.discard(part)
    setDrafted({})
    setCancels(cancels + 1)
    close()
  }
  return (
    <details
      ref={details}
      open={isOpen}
      name={group}
      className="open:basis-full"
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open)
        if (open && !isOpen) area.current?.focus()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return
        event.preventDefault()
        close()
      }}
    >
      <summary className={`btn ${openerKinds[openerKind]} ${isOpen ? 'bg-base-300' : ''}`}>{opener}</summary>
      <CaseForm
        key={cancels}
        forms={forms}
        intent={intent}
        sends={sends}
        onSent={() => draft.discard(part)}
        aria-label={submitLabel}
        className="card mt-2 grid gap-3 p-3"
        onInput={keepDraft}
      >
        <p>{explanation}</p>
        {choice ? (
          <SelectField
            label={choice.label}
            name={choice.field}
            defaultValue={startOf(choice.field)}
            error={failure?.fields[choice.field]}
          >
            {Object.entries(choice.options).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
        ) : null}
        {hydrated && suggestions.length > 0 ? (
          <div role="group" aria-label="Common texts" className="flex flex-wrap gap-1">
            {suggestions.map((sentence) => (
              <Button
                key={sentence}
                type="button"
                className="h-auto min-h-9 max-w-full py-1 text-start whitespace-normal"
                onClick={() => {
                  if (area.current)
                    area.current.value = addText(area.current.value, sentence, { suggestions, maxLength })
                  area.current?.focus()
                  keepDraft()
                }}
              >
                {sentence}
              </Button>
            ))}
          </div>
        ) : null}
        <TextAreaField
          ref={area}
          id={id}
          label={label}
          name={field}
          rows={3}
          required
          maxLength={maxLength}
          defaultValue={startOf(field)}
          error={failure?.fields[field]}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind={texts.submitKind ?? 'primary'} disabled={forms.isBusy}>
            {submitLabel}
          </Button>
          {hydrated ? (
            <Button type="button" kind="quiet" onClick={cancel}>
              Cancel
            </Button>
          ) : null}
        </div>
        <DraftState state={draft.stateOf(part)} />
      </CaseForm>
    </details>
  )
}

/**
 * Adds a common text below what was typed, unless it is the last line already or would be too long.
 * Only another common text is replaced.
 */
function addText(
  typed: string,
  text: string,
  { suggestions, maxLength }: { suggestions: readonly string[]; maxLength: number },
): string {
  const own = typed.trimEnd()
  if (own === text || own.endsWith(`\n${text}`)) return typed
  const added = own === '' || suggestions.includes(own) ? text : `${own}\n${text}`
  return added.length > maxLength ? typed : added
}
