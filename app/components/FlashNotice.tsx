import { useState } from 'react'
import { Alert } from '../ui/Alert.tsx'
import { IconButton } from '../ui/Button.tsx'
import { X } from '../ui/icons.tsx'

export type Notice = { kind: 'success' | 'info' | 'error'; title: string; text?: string | undefined }

/** The outcome of what was just done, at the top of the page; it can be put away where scripts run. */
export function FlashNotice({ notice }: { notice: Notice }) {
  const [shown, setShown] = useState(true)
  if (!shown) return null
  return (
    <Alert
      kind={notice.kind}
      title={notice.title}
      action={
        <IconButton
          label="Dismiss"
          type="button"
          className="-m-2 noscript:hidden"
          onClick={() => setShown(false)}
        >
          <X />
        </IconButton>
      }
    >
      {notice.text}
    </Alert>
  )
}
