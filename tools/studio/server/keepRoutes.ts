/** Keeping a login as a sample without the person: a plan first, which is written once it is confirmed. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Hono } from 'hono';
import * as v from 'valibot';
import { explanationOf } from '../../explain/explanation.ts';
import { filesOf, issuerOf, planKeep, type SamplePlan } from '../../keep/planKeep.ts';
import { proposedName } from '../../keep/sampleName.ts';
import { writeKept } from '../../keep/writeKept.ts';
import { EVENTS } from '../../local/events.ts';
import { eventInside } from '../../local/httpEvent.ts';
import { typed } from '../../shared/usage.ts';
import type { KeepPlan, KeptSample, ProposedSample } from '../api.ts';
import { heardSample, type Login } from './login.ts';
import { bodyOf, problem, type StudioEnv, withLogin } from './request.ts';

/** Older ones cannot be confirmed any more. */
const MAX_PLANS = 20;

const Keep = v.object({
  name: v.string(),
  ticked: v.optional(v.array(v.object({ path: v.string(), text: v.string() })), []),
});

export function keepRoutes(): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  const plans = new Map<string, SamplePlan>();

  function remember(plan: SamplePlan): string | null {
    if (plan.blockers.length > 0) return null;
    const id = randomUUID();
    plans.set(id, plan);
    const [oldest = ''] = plans.keys();
    if (plans.size > MAX_PLANS) plans.delete(oldest);
    return id;
  }

  app.get('/logins/:id/keep', (context) =>
    withLogin(context, (login) => context.json<ProposedSample>({ name: nameFor(login) })),
  );
  app.post('/logins/:id/keep', (context) =>
    withLogin(context, async (login) => {
      const { sample, handler } = login;
      const { name, ticked } = await bodyOf(context, Keep);
      const { engine } = context.var.studio;
      const { functionName, event } = sample;
      const plan = await planKeep({
        ...{ engine, functionName, event, name, ticked, exchanges: heardSample(login).recordings },
        handlerModule: handler?.module,
        handlerName: handler?.given,
      });
      const { stays, replaced, blockers, unanswered, event: kept, expected, files } = plan;
      const id = remember(plan);
      return context.json<KeepPlan>({
        id,
        stays,
        replaced,
        blockers,
        unanswered,
        event: kept,
        expected,
        files,
      });
    }),
  );
  app.post('/keeps/:plan', async (context) => {
    const id = context.req.param('plan');
    const plan = plans.get(id);
    if (!plan) return problem(context, 404, 'this plan does not exist any more: make it again');
    plans.delete(id);
    const files = await writeKept(plan);
    await context.var.studio.logins.refresh(files);
    const functionName = basename(plan.folder);
    return context.json<KeptSample>({ id: `${functionName}.${plan.name}`, command: typed('check') }, 201);
  });
  return app;
}

function nameFor({ answered, sample: { functionName, event } }: Login): string {
  const { rules } = explanationOf(answered, event, functionName);
  const folder = join(EVENTS, functionName);
  const isTaken = (name: string) => filesOf({ name, folder }, true).some((file) => existsSync(file));
  return proposedName({ functionName, issuer: issuerOf(eventInside(event)), answered, rules }, isTaken);
}
