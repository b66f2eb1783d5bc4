import { useEffect, useRef, type ComponentProps } from 'react'
import { Form, useLocation, useNavigation } from 'react-router'

type PostFormProps = Omit<ComponentProps<typeof Form>, 'method' | 'noValidate'>

/**
 * A form that posts and that the server validates. It ignores a second submit while the first is
 * pending. `onSubmit` runs first and may prevent the submit.
 */
export function PostForm({ onSubmit, ...props }: PostFormProps) {
  const { state, formMethod } = useNavigation()
  const { key } = useLocation()
  // A busy browser may render the pending navigation only after the second click of a double click.
  const isPending = useRef(false)
  useEffect(() => {
    isPending.current = state !== 'idle' && formMethod === 'POST'
  }, [state, formMethod, key])
  return (
    <Form
      {...props}
      method="post"
      noValidate
      onSubmit={(event) => {
        onSubmit?.(event)
        if (isPending.current) event.preventDefault()
        isPending.current ||= !event.defaultPrevented
      }}
    />
  )
}
