package io.tidemark.node.net;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** A region of a segment on its way to a socket. The file belongs to its log: nothing is closed here. */
final class RegionMessage extends AbstractReferenceCounted implements FileRegion {
    private final io.tidemark.storage.FileRegion region;
    private int sent;

    RegionMessage(io.tidemark.storage.FileRegion region) {
        this.region = region;
    }

    @Override
    public long position() {
        return region.position();
    }

    @Override
    public long count() {
        return region.length();
    }

    @Override
    public long transferred() {
        return sent;
    }

    @Deprecated
    @Override
    public long transfered() {
        return sent;
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        long count = region.transferTo(Math.toIntExact(position), target);
        sent += Math.toIntExact(count);
        return count;
    }

    @Override
    protected void deallocate() {}

    @Override
    public RegionMessage retain() {
        super.retain();
        return this;
    }

    @Override
    public RegionMessage retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public RegionMessage touch() {
        return this;
    }

    @Override
    public RegionMessage touch(Object hint) {
        return this;
    }
}
