import { paths } from '#domain/paths.ts'
import { useNavigation } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { PostForm } from '../../ui/PostForm.tsx'

/** Turns the emails about refills on or off. */
export function RefillReminders({ userId, isOn }: { userId: string; isOn: boolean }) {
  const intent = isOn ? 'reminders-off' : 'reminders-on'
  const isSending = useNavigation().formData?.get('intent') === intent
  return (
    <section aria-labelledby="reminders" className="card flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 flex-[1_1_12rem]">
        <h2 id="reminders" className="text-lg">
          Refill reminders
        </h2>
        <p className="mt-1 text-muted">
          {isOn
            ? 'We’ll email you once when a refill opens. The email won’t mention the medicine.'
            : 'Get an email when a refill opens. It won’t mention the medicine, and you can turn it off at any time.'}
        </p>
      </div>
      <PostForm action={paths.prescriptions} preventScrollReset>
        <input type="hidden" name="userId" value={userId} />
        <Button name="intent" value={intent} aria-disabled={isSending || undefined}>
          {isOn ? 'Turn off reminders' : 'Turn on reminders'}
        </Button>
      </PostForm>
    </section>
  )
}
