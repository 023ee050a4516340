package io.tidemark.core.quorum;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.log.RecordsRef;
import java.util.List;

/** What the runtime carries out for the quorum, in the order given. */
public sealed interface QuorumEffect {
    void applyTo(Handler handler);

    /** Carries effects out: one method each, so that a new effect does not compile until somebody does. */
    interface Handler {
        void persistQuorumState(PersistQuorumState effect);

        void appendControl(AppendControl effect);

        void appendRecords(AppendRecords effect);

        void appendFetched(AppendFetched effect);

        void truncate(Truncate effect);

        void flush(Flush effect);

        void send(Send effect);

        void abandonAll(AbandonAll effect);

        void reply(Reply effect);

        void replyFetch(ReplyFetch effect);

        void setTimer(SetTimer effect);

        void setElectionSoon(SetElectionSoon effect);

        void cancelTimer(CancelTimer effect);

        void hwMoved(HwMoved effect);

        void leoMoved(LeoMoved effect);

        void roleChanged(RoleChanged effect);

        void leaderReady(LeaderReady effect);

        void self(Self effect);
    }

    /** Write and fsync {@code quorum-state}; {@link Requires.QuorumState} waits for it. */
    record PersistQuorumState(QuorumStateData state) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.persistQuorumState(this);
        }
    }

    /** A leader's control batch. */
    record AppendControl(long baseOffset, int epoch, List<ControlRecord> records) implements QuorumEffect {
        public AppendControl {
            records = List.copyOf(records);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.appendControl(this);
        }
    }

    /** A leader's batch of metadata records. */
    record AppendRecords(long baseOffset, int epoch, int count, RecordsRef records) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.appendRecords(this);
        }
    }

    /**
     * A follower's batches, whole and in order; the first is at the log's end. {@code records} may go on beyond the last
     * of them: what follows was refused and is not written.
     */
    record AppendFetched(List<MetadataBatch> batches, RecordsRef records) implements QuorumEffect {
        public AppendFetched {
            batches = List.copyOf(batches);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.appendFetched(this);
        }
    }

    /** A flush under way while this is carried out reports at most {@code offset} afterwards. */
    record Truncate(long offset) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.truncate(this);
        }
    }

    /** fsync the log up to its present end, then tell with {@link QuorumInput.PersistMetadata}. */
    record Flush() implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.flush(this);
        }
    }

    /**
     * From now on this is the live request of its kind to that node: the runtime sends it again, after a back-off, until
     * it is answered, replaced or abandoned. {@code to} may be {@link #ANY_BOOTSTRAP}. One that follows an answer with an
     * error from the same {@code to} waits for the back-off too.
     */
    record Send(int to, QuorumMessage.Request request, Requires requires) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.send(this);
        }
    }

    /** Every live request is abandoned: its answer is no longer an input. */
    record AbandonAll() implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.abandonAll(this);
        }
    }

    record Reply(ReplyToken token, QuorumMessage.Response response, Requires requires) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.reply(this);
        }
    }

    /**
     * Answer a fetch with the log from its offset up to {@code upTo}. With nothing to say (no records and a follower that
     * already has this high watermark) the runtime may park it up to its maximum wait and then has it read again ({@link
     * QuorumInput.MetadataRead}).
     *
     * @param response the answer without its records
     * @param upTo the log's end when this was decided; the request's own offset where no records belong into the answer
     * @param news whether the answer says something the fetcher does not know even without records
     * @param requires the epoch durable: until then a crash would let this node lead the same epoch again, with other
     *     records at the offsets that it has shown
     */
    record ReplyFetch(
            ReplyToken token,
            QuorumMessage.MetadataFetch request,
            QuorumMessage.MetadataFetchResult response,
            long upTo,
            boolean news,
            Requires requires)
            implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.replyFetch(this);
        }
    }

    record SetTimer(QuorumTimer timer) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.setTimer(this);
        }
    }

    /**
     * {@link QuorumTimer#ELECTION_SOON} for the successor of rank {@code rank} (0: at once).
     */
    record SetElectionSoon(int rank) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.setElectionSoon(this);
        }
    }

    record CancelTimer(QuorumTimer timer) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.cancelTimer(this);
        }
    }

    record HwMoved(long hw) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.hwMoved(this);
        }
    }

    record LeoMoved(long leo) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.leoMoved(this);
        }
    }

    /** Role, epoch or known leader changed. */
    record RoleChanged(QuorumRole role, int epoch, int leaderId, List<Endpoint> leaderEndpoints)
            implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.roleChanged(this);
        }
    }

    /** The leader's own LeaderChange is committed: a controller may now become active in this epoch. */
    record LeaderReady(int epoch) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.leaderReady(this);
        }
    }

    record Self(QuorumInput input) implements QuorumEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.self(this);
        }
    }

    /** A node of {@code controller.quorum.bootstrap.servers} (or any known voter): the leader is not known. */
    int ANY_BOOTSTRAP = -2;
}
