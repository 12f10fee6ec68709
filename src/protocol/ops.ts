import * as z from 'zod';
import { ApprovalDecisionSchema } from './approvals.ts';
import { TrustModeSchema } from './items.ts';

/** A change of a session's sticky settings. An absent field keeps its value. */
export const SettingsPatchSchema = z.object({
	providerId: z.string().optional(),
	model: z.string().optional(),
	trustMode: TrustModeSchema.optional(),
});
export type SettingsPatch = z.infer<typeof SettingsPatchSchema>;

/** What can be put into a session's submission queue. */
export const OpSchema = z.discriminatedUnion('type', [
	/** Starts a turn, or steers the one that runs. */
	z.object({ type: z.literal('userTurn'), text: z.string().min(1), settings: SettingsPatchSchema.optional() }),
	/** Goes on with the conversation as it stands: after an error or an interruption. */
	z.object({ type: z.literal('continueTurn') }),
	z.object({ type: z.literal('interrupt') }),
	z.object({ type: z.literal('approvalResponse'), approvalId: z.string(), decision: ApprovalDecisionSchema }),
	z.object({ type: z.literal('questionResponse'), questionId: z.string(), answer: z.string() }),
	z.object({ type: z.literal('updateSettings'), settings: SettingsPatchSchema }),
	z.object({ type: z.literal('setTitle'), title: z.string().trim().min(1).max(200) }),
	z.object({
		type: z.literal('controlProcess'),
		/** A running command's tool call id, or a background process id. */
		processId: z.string(),
		action: z.discriminatedUnion('type', [
			z.object({ type: z.literal('kill') }),
			z.object({ type: z.literal('background') }),
			z.object({ type: z.literal('input'), text: z.string() }),
		]),
	}),
]);
export type Op = z.infer<typeof OpSchema>;

export interface Submission {
	readonly id: string;
	readonly op: Op;
}
