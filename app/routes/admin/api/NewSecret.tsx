import { useEffect, useRef, type ReactNode } from 'react'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Alert } from '../../../ui/Alert.tsx'

type NewSecretProps = {
  title: string
  /** What it is, for the button that copies it. */
  label: string
  secret: string
  children: ReactNode
}

/**
 * A secret that the shop shows once. It takes the focus: the pressed button was replaced, and a
 * screen reader does not announce a message that is there when the page renders.
 */
export function NewSecret({ title, label, secret, children }: NewSecretProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={title} className="max-w-3xl">
      <Alert kind="success" title={title}>
        <p>{children}</p>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <code className="break-all select-all">{secret}</code>
          <CopyButton text={secret} label={label} />
        </p>
      </Alert>
    </div>
  )
}
