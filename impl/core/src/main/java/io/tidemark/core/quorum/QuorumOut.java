package io.tidemark.core.quorum;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The effects of the step under way, and which timers are set: so that none is cancelled that is not. */
final class QuorumOut {
    private final ArrayList<QuorumEffect> effects = new ArrayList<>();
    private @Nullable QuorumTimer electionTimer;
    private boolean fetchTimer;
    private boolean checkQuorumTimer;

    void emit(QuorumEffect effect) {
        effects.add(effect);
    }

    void emitFirst(QuorumEffect effect) {
        effects.add(0, effect);
    }

    List<QuorumEffect> drain() {
        List<QuorumEffect> drained = List.copyOf(effects);
        effects.clear();
        return drained;
    }

    // ---- the three timers that feed ElectionTimeout: one at a time

    boolean electionTimerSet() {
        return electionTimer != null;
    }

    void setElectionTimer(QuorumTimer timer) {
        takeElectionTimer(timer);
        emit(new QuorumEffect.SetTimer(timer));
    }

    void setElectionSoon(int rank) {
        takeElectionTimer(QuorumTimer.ELECTION_SOON);
        emit(new QuorumEffect.SetElectionSoon(rank));
    }

    private void takeElectionTimer(QuorumTimer timer) {
        if (electionTimer != timer) {
            cancelElectionTimer();
        }
        electionTimer = timer;
    }

    void cancelElectionTimer() {
        if (electionTimer != null) {
            emit(new QuorumEffect.CancelTimer(electionTimer));
            electionTimer = null;
        }
    }

    void cancelElectionSoon() {
        if (electionTimer == QuorumTimer.ELECTION_SOON) {
            cancelElectionTimer();
        }
    }

    /** @return which of the three ran out; null if none was set */
    @Nullable
    QuorumTimer electionTimerFired() {
        QuorumTimer fired = electionTimer;
        electionTimer = null;
        return fired;
    }

    // ---- the others

    void setFetchTimer() {
        fetchTimer = true;
        emit(new QuorumEffect.SetTimer(QuorumTimer.FETCH));
    }

    void cancelFetchTimer() {
        if (fetchTimer) {
            fetchTimer = false;
            emit(new QuorumEffect.CancelTimer(QuorumTimer.FETCH));
        }
    }

    void fetchTimerFired() {
        fetchTimer = false;
    }

    void setCheckQuorumTimer() {
        checkQuorumTimer = true;
        emit(new QuorumEffect.SetTimer(QuorumTimer.CHECK_QUORUM));
    }

    void cancelCheckQuorumTimer() {
        if (checkQuorumTimer) {
            checkQuorumTimer = false;
            emit(new QuorumEffect.CancelTimer(QuorumTimer.CHECK_QUORUM));
        }
    }

    void checkQuorumTimerFired() {
        checkQuorumTimer = false;
    }
}
