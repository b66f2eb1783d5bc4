import { useState } from 'react'
import { Alert } from '../ui/Alert.tsx'
import { IconButton } from '../ui/Button.tsx'
import { X } from '../ui/icons.tsx'

/** The items that left the cart, shown until dismissed: a list of names is too long for a toast. */
export function UnavailableNotice({ names }: { names: readonly string[] }) {
  const [shown, setShown] = useState(true)
  if (!shown || names.length === 0) return null
  return (
    <div className="page pt-4">
      <Alert
        kind="info"
        title="No longer offered"
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
        {`We no longer offer ${names.join(', ')}, so we removed ${names.length === 1 ? 'it' : 'them'} from your cart.`}
      </Alert>
    </div>
  )
}
