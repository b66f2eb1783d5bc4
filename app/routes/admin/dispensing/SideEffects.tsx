import { sideEffectsStatement } from '#domain/dispensing/label.ts'

const phone = /1-800-FDA-1088/

/** FDA's statement, with its telephone number on one line. */
export function SideEffects() {
  const [before = '', after = ''] = sideEffectsStatement.split(phone)
  return (
    <p className="rx-statement">
      {before}
      <span className="rx-number">{phone.exec(sideEffectsStatement)?.[0]}</span>
      {after}
    </p>
  )
}
