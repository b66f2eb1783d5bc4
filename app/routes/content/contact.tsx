import { contactBounds, contactSchema } from '#domain/contact/contact.ts'
import { orderRefPattern } from '#domain/orders/order-ref.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { sendContactMessage } from '#server/contact/send-message.ts'
import { newToken } from '#server/crypto/tokens.ts'
import type { ReactNode } from 'react'
import { redirect, useLocation } from 'react-router'
import { z } from 'zod'
import { ContactForm, ContactSent } from './ContactForm.tsx'
import { ContentPage } from '../../components/ContentPage.tsx'
import { flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Globe, Mail, Phone } from '../../ui/icons.tsx'
import type { Route } from './+types/contact'

const sentPath = paths.contactSent

/** The short number of an order that the message is about. */
const orderRefSchema = z.string().regex(new RegExp(`^${orderRefPattern}$`))

export const loader = async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const { searchParams } = new URL(request.url)
  return {
    support: env.support,
    orderRef: orderRefSchema.safeParse(searchParams.get('order')).data ?? null,
    maxMessage: contactBounds.message,
    // The same for all pages of an hour, so that the page can be revalidated by its ETag.
    token: ctx.now.toISOString().slice(0, 13),
    isSent: searchParams.has('sent'),
    outboxHref: env.mode === 'production' ? null : serverPaths.demoOutbox,
  }
}

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  const form = await readForm(request)
  return formAction(
    form,
    contactSchema,
    async (message) => {
      const formToken = getText(form, 'token') || newToken()
      await sendContactMessage(ctx, message, { formToken, supportEmail: env.support.email })
      const flash = await flashHeader(
        { kind: 'success', title: 'Message Sent', text: 'Thank you. We’ll reply by email.' },
        env,
      )
      return redirect(sentPath, { status: 303, headers: { 'Set-Cookie': flash } })
    },
    ctx,
  )
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Contact Us',
    description: 'Contact Meridian about an order, a medication or your account by form, email or phone.',
  })

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const { support, orderRef, maxMessage, token, isSent, outboxHref } = loaderData
  const { key } = useLocation()
  return (
    <ContentPage
      title="Contact Us"
      lead="Questions about an order, a medication or your account? Write to us, and a person will reply."
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[3fr_2fr]">
        <section aria-labelledby="write" className="card p-5 sm:p-7">
          <h2 id="write" className="text-lg">
            Write to us
          </h2>
          {isSent ? <ContactSent key={key} outboxHref={outboxHref} /> : null}
          {/* After a message is sent, the key gives a new, empty form. */}
          <ContactForm
            key={isSent ? key : 'form'}
            token={token}
            maxMessage={maxMessage}
            initialMessage={orderRef ? `About order ${orderRef}:\n\n` : ''}
            refused={actionData ?? null}
          />
        </section>
        <section aria-labelledby="reach" className="grid gap-4 sm:max-lg:grid-cols-3">
          <h2 id="reach" className="sr-only">
            Other ways to reach us
          </h2>
          <ContactMethod icon={<Mail />} title="Email">
            <a href={`mailto:${support.email}`} className="text-link break-all">
              {support.email}
            </a>
          </ContactMethod>
          <ContactMethod icon={<Phone />} title="Phone">
            <a href={`tel:${support.phone.replace(/[^+\d]/g, '')}`} className="text-link">
              {support.phone}
            </a>
          </ContactMethod>
          <ContactMethod icon={<Globe />} title="Global Operations">
            Serving customers worldwide
          </ContactMethod>
        </section>
      </div>
    </ContentPage>
  )
}

const ContactMethod = ({
  icon,
  title,
  children,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
}) => (
  <div className="card flex items-start gap-4 p-5 sm:max-lg:flex-col">
    <span className="tile size-11 flex-none rounded-full text-primary">{icon}</span>
    <p className="min-w-0">
      <b className="block font-semibold">
        {title}
        <span className="sr-only">:</span>
      </b>{' '}
      {children}
    </p>
  </div>
)
