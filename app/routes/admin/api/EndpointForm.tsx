import { topicNames, webhookTopics } from '#domain/webhooks/webhook-events.ts'
import { useNavigation } from 'react-router'
import { CodeField } from '../../../components/CodeField.tsx'
import type { FormFailure } from '../../../http/form-failure.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'

type EndpointFormProps = { id: string; needsCode: boolean; failure: FormFailure | null }

export const EndpointForm = ({ id, needsCode, failure }: EndpointFormProps) => (
  <PostForm className="card grid max-w-3xl gap-4 p-4">
    <input type="hidden" name="intent" value="create" />
    <input type="hidden" name="id" value={id} />
    {failure ? <Alert kind="error" title={failure.message ?? 'Nothing has changed yet'} /> : null}
    <Field
      label="Address"
      name="url"
      type="url"
      inputMode="url"
      maxLength={2000}
      autoComplete="off"
      placeholder="https://"
      defaultValue={failure?.values['url']}
      error={failure?.fields['url']}
    />
    <SelectField
      label="Events"
      name="topic"
      hint="Use separate endpoints for orders and stock. If one endpoint received both, their timing would reveal what an order contains."
      defaultValue={failure?.values['topic'] ?? topicNames[0]}
      error={failure?.fields['topic']}
    >
      {topicNames.map((topic) => (
        <option key={topic} value={topic}>
          {`${webhookTopics[topic].label} (${webhookTopics[topic].types.join(', ')})`}
        </option>
      ))}
    </SelectField>
    {needsCode ? <CodeField error={failure?.fields['code']} /> : null}
    <Button
      kind="primary"
      className="justify-self-start"
      // A second press would replace the page's only view of the secret.
      disabled={useNavigation().state !== 'idle'}
    >
      Add endpoint
    </Button>
  </PostForm>
)
