package io.tidemark.wire;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;

/** Fills every field of one of Kafka's messages that its version has, so that each array and each length is on the wire. */
final class Filler {
    private Filler() {}

    static ApiMessage request(ApiKeys key, short version) {
        ApiMessage message = key.messageType.newRequest();
        fill(message, version);
        return message;
    }

    /** As Kafka's client writes it, without the size. */
    static ByteBuffer frame(ApiKeys key, short version, ApiMessage request, int correlationId) {
        RequestHeader header = new RequestHeader(key, version, "a-client", correlationId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int size = header.data().size(cache, header.headerVersion()) + request.size(cache, version);
        ByteBuffer frame = ByteBuffer.allocate(size);
        ByteBufferAccessor out = new ByteBufferAccessor(frame);
        header.data().write(out, cache, header.headerVersion());
        request.write(out, cache, version);
        if (frame.hasRemaining()) {
            throw new AssertionError(frame.remaining() + " bytes too few");
        }
        return frame.flip();
    }

    private static void fill(Message message, short version) {
        for (Method setter : message.getClass().getMethods()) {
            boolean link =
                    setter.getName().equals("setPrev") || setter.getName().equals("setNext");
            if (link || !setter.getName().startsWith("set") || setter.getParameterCount() != 1) {
                continue;
            }
            String name = Character.toLowerCase(setter.getName().charAt(3))
                    + setter.getName().substring(4);
            try {
                Method getter = message.getClass().getMethod(name);
                if (setter.getParameterTypes()[0] != getter.getReturnType()) {
                    continue;
                }
                Object before = getter.invoke(message);
                setter.invoke(message, value(getter.getGenericReturnType(), getter.getReturnType(), version));
                try {
                    write(message, version);
                } catch (UnsupportedVersionException e) {
                    setter.invoke(message, before);
                }
            } catch (NoSuchMethodException e) {
                continue; // a helper of the message, not a field
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(setter.toString(), e);
            }
        }
    }

    /** Only writing tells whether a field exists in a version. */
    private static void write(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
    }

    private static Object value(Type type, Class<?> raw, short version) throws ReflectiveOperationException {
        if (raw == int.class) {
            return 1;
        } else if (raw == long.class) {
            return 1L;
        } else if (raw == short.class) {
            return (short) 1;
        } else if (raw == byte.class) {
            return (byte) 1;
        } else if (raw == boolean.class) {
            return true;
        } else if (raw == String.class) {
            return "x";
        } else if (raw == Uuid.class) {
            return new Uuid(3, 4);
        } else if (raw == byte[].class) {
            return new byte[] {1, 2};
        } else if (raw == ByteBuffer.class) {
            return ByteBuffer.wrap(new byte[] {1, 2, 3});
        } else if (raw == BaseRecords.class) {
            return MemoryRecords.readableRecords(Samples.records("v").buffer());
        } else if (raw == List.class) {
            Class<?> element = (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0];
            return new ArrayList<>(List.of(boxed(element, version)));
        } else if (Collection.class.isAssignableFrom(raw)) {
            Class<?> element = (Class<?>) ((ParameterizedType) raw.getGenericSuperclass()).getActualTypeArguments()[0];
            Object collection = raw.getConstructor().newInstance();
            Collection.class.getMethod("add", Object.class).invoke(collection, boxed(element, version));
            return collection;
        }
        return boxed(raw, version);
    }

    private static Object boxed(Class<?> type, short version) throws ReflectiveOperationException {
        if (type == Integer.class) {
            return 1;
        } else if (type == Byte.class) {
            return (byte) 2;
        } else if (type == String.class) {
            return "x";
        } else if (type == Uuid.class) {
            return new Uuid(3, 4);
        }
        Message message = (Message) type.getConstructor().newInstance();
        fill(message, version);
        return message;
    }
}
